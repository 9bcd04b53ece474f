// What the engine gives back: the outcome of a read, and the two halves of a checkpoint being taken.

namespace Store.Faster.Engine;

/// <summary>What a read found.</summary>
/// <param name="IsThere">True when the key is there.</param>
/// <param name="Result">The value, when it was asked for; the buffer is the caller's to return.</param>
internal readonly record struct EngineRead(bool IsThere, ReadResult Result);

/// <summary>A checkpoint whose line is drawn.</summary>
/// <param name="Token">FASTER's name for it.</param>
/// <param name="LogBeginAddress">Where the record log began.</param>
/// <param name="TailAddress">The line: where the record log ended. What is behind it is not in the checkpoint.</param>
internal readonly record struct EngineCapture(Guid Token, long LogBeginAddress, long TailAddress);

/// <summary>A checkpoint as FASTER handed it over, not durable yet.</summary>
/// <param name="Token">FASTER's name for it.</param>
/// <param name="IndexMetadata">FASTER's description of the index.</param>
/// <param name="LogMetadata">FASTER's description of the log and snapshot, with our cookie at its end.</param>
/// <param name="LogBeginAddress">Where the record log began: nothing moves it while a checkpoint is taken.</param>
/// <param name="LogEndAddress">The record log belongs to the checkpoint up to here; the rest of the records is in the snapshot.</param>
/// <param name="Index">Device of the index file.</param>
/// <param name="Snapshot">Device of the snapshot file.</param>
internal sealed record CapturedCheckpoint(Guid Token, byte[] IndexMetadata, byte[] LogMetadata, long LogBeginAddress, long LogEndAddress, StoreDevice Index, StoreDevice Snapshot);
