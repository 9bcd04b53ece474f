using Spectre.Console;

namespace Store.Inspect.Rendering;

/// <summary>
/// A table without lines: aligned columns two spaces apart, the last one cut to the width. Rows can go on after the widths were settled by the first
/// ones, so a table of a million rows needs no memory.
/// </summary>
internal sealed class AlignedTable(Screen screen, int indent, params (string Header, Justify Align)[] columns)
{
    private const int Gap = 2;
    private const int MinLastWidth = 16;

    /// <summary>False where the last column must be read whole: it then runs on over the edge of the terminal.</summary>
    public bool CutsLastColumn { get; init; } = true;

    private readonly List<StyledText[]> _pending = [];
    private int[]? _widths;

    /// <summary>Adds a row: kept until <see cref="Settle"/>, then written at once. The last cell of one that has fewer cells than there are columns runs on over the columns that are left.</summary>
    public void Add(params StyledText[] cells)
    {
        if (_widths is null) _pending.Add(cells);
        else Write(cells);
    }

    /// <summary>Fixes the widths by the rows so far and writes the header and these rows.</summary>
    public void Settle()
    {
        if (_widths is not null) return;
        _widths = new int[columns.Length];
        for (int i = 0; i < columns.Length; i++)
            _widths[i] = _pending.Where(row => i < row.Length - 1 || row.Length == columns.Length).Select(row => row[i].Width).Append(columns[i].Header.Length).Max();
        if (screen.Width != int.MaxValue)
        {
            int before = indent + _widths[..^1].Sum(static w => w + Gap);
            _widths[^1] = Math.Max(Math.Min(_widths[^1], screen.Width - before), MinLastWidth);
        }

        if (columns.Any(static c => c.Header.Length > 0)) Write([.. columns.Select(static c => new StyledText(c.Header, Theme.Quiet))]);
        foreach (StyledText[] row in _pending) Write(row);
        _pending.Clear();
    }

    private void Write(StyledText[] cells)
    {
        var line = new StyledText(new string(' ', indent));
        for (int i = 0; i < cells.Length; i++)
        {
            bool isLast = i == cells.Length - 1;
            StyledText cell = cells[i];
            if (isLast && CutsLastColumn && screen.Width != int.MaxValue) cell = cell.Fit(Math.Max(_widths![i], screen.Width - line.Width));
            string padding = new(' ', Math.Max(0, _widths![i] - cell.Width));
            if (isLast && i < columns.Length - 1) line.Add(cell);
            else if (columns[i].Align == Justify.Right) line.Add(padding).Add(cell);
            else if (isLast) line.Add(cell);
            else line.Add(cell).Add(padding);
            if (!isLast) line.Add("  ");
        }

        screen.Line(line.TrimEnd());
    }
}
