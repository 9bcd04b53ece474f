// What a value is, without its CLR types: two values are equal when their shapes are, and the shape that evolution promises is made from the shape of the old value.

using System.Text;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>The shape of a value. Compared by <see cref="ToString"/>.</summary>
internal abstract record Shape
{
    /// <summary>The class of the value that has it; null where there was none. No part of what is compared.</summary>
    public Type? Of { get; init; }

    public sealed override string ToString()
    {
        var text = new StringBuilder();
        Render(text);
        return text.ToString();
    }

    protected abstract void Render(StringBuilder text);

    public sealed record Nothing : Shape
    {
        protected override void Render(StringBuilder text) => text.Append("null");
    }

    /// <summary>A value without parts.</summary>
    public sealed record Atom(string Kind, string Text, object? Value) : Shape
    {
        protected override void Render(StringBuilder text) => text.Append(Kind).Append(' ').Append(Text);
    }

    /// <summary>A list, set, array, tuple or whatever else has items; a dictionary is one of pairs.</summary>
    public sealed record Items(IReadOnlyList<Shape> All, bool IsOrdered, string Mark) : Shape
    {
        protected override void Render(StringBuilder text)
        {
            IEnumerable<string> items = All.Select(static one => one.ToString());
            if (!IsOrdered) items = items.Order(StringComparer.Ordinal);
            text.Append(Mark).Append('[').AppendJoin(", ", items).Append(']');
        }
    }

    /// <summary>An object of a type of the program.</summary>
    /// <param name="Type">The type's full name.</param>
    /// <param name="Number">Of an object whose identity is kept: the how many-th it is.</param>
    /// <param name="Members">What it has.</param>
    public sealed record Object(string Type, int? Number, IReadOnlyList<(string Name, Shape Value)> Members) : Shape
    {
        protected override void Render(StringBuilder text)
        {
            text.Append(Type);
            if (Number is { } number) text.Append('#').Append(number);
            text.Append("{ ");
            foreach ((string name, Shape value) in Members.OrderBy(static one => one.Name, StringComparer.Ordinal)) text.Append(name).Append(": ").Append(value).Append("; ");
            text.Append('}');
        }
    }

    /// <summary>An object that occurred before.</summary>
    public sealed record Again(int Number) : Shape
    {
        protected override void Render(StringBuilder text) => text.Append('#').Append(Number);
    }

    /// <summary>What has no place where it would stand: who reads it gets the exception that the documents promise.</summary>
    public sealed record Refused(string Why) : Shape
    {
        protected override void Render(StringBuilder text) => text.Append("refused: ").Append(Why);
    }
}
