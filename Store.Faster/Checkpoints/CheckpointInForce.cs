namespace Store.Faster.Checkpoints;

/// <summary>The newest checkpoint that is in force; all zeros when there is none.</summary>
/// <param name="Generation">Its generation.</param>
/// <param name="Sequence">Sequence of the log that it covers.</param>
/// <param name="Anchor">Sequence and mark of the last change that it holds.</param>
internal readonly record struct CheckpointInForce(long Generation, long Sequence, (long Sequence, uint Mark) Anchor);
