namespace Store.KeyValue;

/// <summary>What a callback of <see cref="IKeyValueStore{TKey, TValue}.Update"/> wants.</summary>
public enum KeyValueUpdate
{
    /// <summary>Leaves everything as it is; the log gets nothing.</summary>
    Keep,

    /// <summary>Sets the value.</summary>
    Put,

    /// <summary>Removes the key; the log gets nothing when it is not there.</summary>
    Delete,
}

/// <summary>A change of one value that depends on the value. A struct, so that calling it costs no more than its code, and so that it can carry arguments in and results out.</summary>
/// <typeparam name="TValue">Type of the values.</typeparam>
public interface IKeyValueUpdate<TValue>
{
    /// <summary>Decides on the next value. Called once, while no other change of the key can be made.</summary>
    /// <param name="isThere">True when the key is there.</param>
    /// <param name="value">Its value, the callback's own copy, and a default when it is not there. On return, the value to be set by <see cref="KeyValueUpdate.Put"/>.</param>
    KeyValueUpdate Update(bool isThere, ref TValue? value);
}

/// <summary>What <see cref="IKeyValueStore{TKey, TValue}.UpdateAsync"/> did.</summary>
/// <param name="Sequence">Sequence of the change, or 0 when the callback left everything as it was.</param>
/// <param name="Update">The callback as it was left.</param>
public readonly record struct KeyValueUpdated<TUpdate>(long Sequence, TUpdate Update) where TUpdate : struct;

/// <summary>What <see cref="IKeyValueStore{TKey, TValue}.TryGetAsync"/> and <see cref="IKeyValueStore{TKey, TValue}.TryGetBatch"/> found.</summary>
/// <param name="IsThere">True when the key is there.</param>
/// <param name="Value">Its value, or a default.</param>
public readonly record struct KeyValueResult<TValue>(bool IsThere, TValue? Value);
