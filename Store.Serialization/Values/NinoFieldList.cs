using System.Collections;
using Store.Serialization.Values;

namespace Store.Serialization;

/// <summary>A field of a decoded object.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value.</param>
public readonly record struct NinoField(string Name, NinoValue Value);

/// <summary>The fields of a decoded object, in encoding order. Immutable; enumerating allocates nothing.</summary>
public readonly struct NinoFieldList : IReadOnlyList<NinoField>
{
    private readonly PlanObject? _plan;
    private readonly NinoValue[]? _values;

    internal NinoFieldList(PlanObject plan, NinoValue[] values)
    {
        _plan = plan;
        _values = values;
    }

    /// <summary>Number of fields.</summary>
    public int Count => _values?.Length ?? 0;

    /// <summary>The field at a position.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such position.</exception>
    public NinoField this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return new NinoField(_plan!.Fields[index].Name, _values![index]);
        }
    }

    /// <summary>Enumerates the fields.</summary>
    public Enumerator GetEnumerator() => new(this);

    IEnumerator<NinoField> IEnumerable<NinoField>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Enumerates the fields of one object.</summary>
    public struct Enumerator : IEnumerator<NinoField>
    {
        private readonly NinoFieldList _list;
        private int _index;

        internal Enumerator(NinoFieldList list)
        {
            _list = list;
            _index = -1;
        }

        /// <summary>The field.</summary>
        public readonly NinoField Current => _list[_index];

        readonly object IEnumerator.Current => Current;

        /// <summary>Moves to the next field.</summary>
        public bool MoveNext() => ++_index < _list.Count;

        /// <summary>Starts again.</summary>
        public void Reset() => _index = -1;

        /// <summary>Nothing to release.</summary>
        public readonly void Dispose() { }
    }
}
