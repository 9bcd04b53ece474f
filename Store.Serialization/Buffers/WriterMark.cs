namespace Store.Serialization;

/// <summary>Where a writer stood before code of somebody else's had it.</summary>
/// <param name="Lent">What <see cref="NinoWriter"/> noted of who has had it before.</param>
/// <param name="BytesWritten">How many bytes were written.</param>
internal readonly record struct WriterMark(long Lent, long BytesWritten);
