namespace Store.Snapshots;

/// <summary>How a snapshot knows the record that it stands behind, so that it is not believed of another history of the log.</summary>
/// <param name="Mark">Mark of the record (<see cref="Store.Reading.RecordMark"/>); <see cref="SnapshotFormat.NoMark"/> where none can be had: of sequence 0, of a record that retention has removed, or that cannot be read.</param>
/// <param name="Segment">Number of the segment in which it was; 0 where that is not known.</param>
/// <param name="FrameOffset">Where its frame is in the segment.</param>
/// <param name="FrameChecksum">Checksum of the frame's header, which covers the segment's random id, the place, the records' sequences and time, and the checksum of their bytes: where it is still there, the record is, whatever else the frame holds.</param>
internal readonly record struct RecordTie(uint Mark, long Segment = 0, long FrameOffset = 0, uint FrameChecksum = 0);
