// Holds every member of a view against the object that is read from the same bytes. Also what the tests of damage run: it touches everything.

using System.Runtime.InteropServices;
using Store.Serialization;

namespace Store.Tests.Views;

/// <summary>A type with what compares its view.</summary>
public abstract class ViewCheck(string name)
{
    public string Name { get; } = name;

    public abstract NinoSchema Schema { get; }

    /// <summary>Reads the record and, when that can be read, compares; else only touches. Returns false when it cannot be read.</summary>
    public abstract bool Compare(ReadOnlySpan<byte> record);

    /// <summary>Compares the view of a record with the object that another record is, or with none: then only touches.</summary>
    public abstract void CompareTo(ReadOnlySpan<byte> viewed, ReadOnlySpan<byte> read);

    /// <summary>Asks everything of the view of a record.</summary>
    public abstract void Touch(ReadOnlySpan<byte> record);

    public override string ToString() => Name;
}

internal sealed class ViewCheck<T, TView>(Action<ViewAssert, TView, T?> compare) : ViewCheck(typeof(T).Name) where T : notnull where TView : struct, INinoRecordView<TView>, allows ref struct
{
    public override NinoSchema Schema => TView.Schema;

    public override bool Compare(ReadOnlySpan<byte> record)
    {
        T? value = default;
        bool isWhole = true;
        try
        {
            value = NinoSerializer.Deserialize<T>(record);
        }
        catch (NinoSerializationException)
        {
            isWhole = false;
        }

        try
        {
            compare(new ViewAssert(isWhole), TView.Over(record), value);
        }
        catch (NinoSerializationException) when (!isWhole)
        {
        }

        return isWhole;
    }

    public override void Touch(ReadOnlySpan<byte> record) => compare(new ViewAssert(isWhole: false), TView.Over(record), default);

    public override void CompareTo(ReadOnlySpan<byte> viewed, ReadOnlySpan<byte> read) => compare(new ViewAssert(true), TView.Over(viewed), NinoSerializer.Deserialize<T>(read));
}

/// <summary>Compares where there is something to compare with; asks the view in any case.</summary>
internal readonly struct ViewAssert(bool isWhole)
{
    public bool IsWhole { get; } = isWhole;

    public void Same<T>(T expected, T actual)
    {
        if (IsWhole) Assert.Equal(expected, actual);
    }

    /// <summary>For types whose equality is not that of their bits, as it is none of numbers that are none.</summary>
    public void SameBits<T>(T expected, T actual) where T : unmanaged
    {
        if (IsWhole) Assert.Equal(Bits(expected), Bits(actual));
    }

    public void SameBits<T>(T? expected, T? actual) where T : unmanaged
    {
        Same(expected.HasValue, actual.HasValue);
        SameBits(expected.GetValueOrDefault(), actual.GetValueOrDefault());
    }

    public void SameBits<T, TCodec>(IEnumerable<T>? expected, NinoArrayView<T, TCodec> actual) where T : unmanaged where TCodec : struct, INinoCodec<T>
    {
        List<T>? elements = expected is null ? null : [.. expected];
        Same(elements is null, actual.IsNull);
        Same(elements?.Count ?? 0, actual.Count);
        T[]? read = actual.Read();
        int i = 0;
        foreach (T element in actual)
        {
            Assert.Equal(Bits(element), Bits(read![i]));
            Assert.Equal(Bits(element), Bits(actual[i]));
            if (IsWhole) SameBits(elements![i], element);
            i++;
        }

        Assert.Equal(actual.Count, i);
        Assert.Equal(actual.Count, read?.Length ?? 0);
    }

    private static string Bits<T>(T value) where T : unmanaged => Convert.ToHexString(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)));

    public void Same(string? expected, NinoStringView actual)
    {
        string? text = actual.Read();
        Same(text is null, actual.IsNull);
        Assert.Equal(text?.Length ?? 0, actual.Length);
        Assert.True(actual.Equals(text));
        Assert.Equal(text ?? "", actual.ToString());
        if (text is null)
        {
            Assert.False(actual.Equals([]));
        }
        else
        {
            Span<char> copy = new char[text.Length];
            actual.CopyTo(copy);
            Assert.True(copy.SequenceEqual(text));
            Assert.True(actual.Equals(text.AsSpan()) && actual.Equals(actual) && actual.StartsWith(text.AsSpan(0, text.Length / 2)));
            Assert.False(actual.Equals(text + "x") || actual.StartsWith(text + "x"));
            if (text.Length > 0)
            {
                Assert.Equal(text[^1], actual[text.Length - 1]);
                Assert.False(actual.Equals(text[..^1] + (char)(text[^1] ^ 1)) || actual.Equals(text[..^1] + (char)(text[^1] ^ 256)) || actual.StartsWith((char)(text[0] ^ 256) + text[1..]));
            }
        }

        Same(expected, text);
    }

    public void Same(string? expected, NinoUtf8View actual)
    {
        string? text = actual.Read();
        Assert.Equal(text is null, actual.IsNull);
        Assert.Equal(text?.Length ?? 0, actual.GetLength());
        Assert.True(actual.Equals(text));
        Assert.Equal(text ?? "", actual.ToString());
        if (text is not null)
        {
            Assert.False(actual.Equals(text + "x") || (text.Length > 0 && actual.Equals(text[1..])));
            Span<char> copy = new char[text.Length];
            Assert.Equal(text.Length, actual.CopyTo(copy));
            Assert.True(copy.SequenceEqual(text));
            if (actual.TryGetUtf8(out ReadOnlySpan<byte> utf8)) Assert.Equal(text, System.Text.Encoding.UTF8.GetString(utf8));
        }

        Same(expected, text);
    }

    public void Same<T, TCodec>(IEnumerable<T>? expected, NinoArrayView<T, TCodec> actual) where TCodec : struct, INinoCodec<T>
    {
        T[]? elements = actual.Read();
        Same(elements is null, actual.IsNull);
        Same(elements?.Length ?? 0, actual.Count);
        Same(expected, elements);
        int i = 0;
        foreach (T element in actual)
        {
            Assert.Equal(elements![i], element);
            Assert.Equal(elements[i], actual[i]);
            i++;
        }

        Assert.Equal(actual.Count, i);
        int count = actual.Count;
        try
        {
            _ = actual[count];
            Assert.Fail("There is no such element.");
        }
        catch (ArgumentOutOfRangeException)
        {
        }
    }

    public void Same<T, TView>(IEnumerable<T>? expected, NinoListView<TView> actual, Action<ViewAssert, TView, T?> compare) where TView : struct, INinoView<TView>, allows ref struct
    {
        Same(expected is null, actual.IsNull);
        List<T>? elements = expected is null ? null : [.. expected];
        Same(elements?.Count ?? 0, actual.Count);
        int i = 0;
        foreach (TView element in actual)
        {
            compare(this, element, IsWhole ? elements![i] : default);
            if (i < 3) compare(this, actual[i], IsWhole ? elements![i] : default);
            if (++i == 1000) break;
        }

        if (i < 1000) Assert.Equal(actual.Count, i);
    }

    public void Same<TKey, TValue, TKeyView, TValueView>(IEnumerable<KeyValuePair<TKey, TValue>>? expected, NinoMapView<TKeyView, TValueView> actual, Action<ViewAssert, TKeyView, TKey?> compareKey, Action<ViewAssert, TValueView, TValue?> compareValue)
        where TKeyView : struct, INinoView<TKeyView>, allows ref struct
        where TValueView : struct, INinoView<TValueView>, allows ref struct
    {
        Same(expected is null, actual.IsNull);
        List<KeyValuePair<TKey, TValue>>? pairs = expected is null ? null : [.. expected];
        Same(pairs?.Count ?? 0, actual.Count);
        int i = 0;
        foreach ((TKeyView key, TValueView value) in actual)
        {
            compareKey(this, key, IsWhole ? pairs![i].Key : default);
            compareValue(this, value, IsWhole ? pairs![i].Value : default);
            i++;
        }

        Assert.Equal(actual.Count, i);
    }

    /// <summary>Compares what was made of a view by its bytes: for types without an equality of their own.</summary>
    public void SameRecord<T>(T? expected, T? actual)
    {
        if (!IsWhole) return;
        if (expected is null) Assert.Null(actual);
        else Assert.Equal(NinoSerializer.Serialize(expected), NinoSerializer.Serialize(actual!));
    }
}
