namespace Store.Framing;

/// <summary>What the next bytes of a segment are. Damage is a value: the caller decides whether it is a torn tail or corruption.</summary>
internal enum FrameReadStatus
{
    /// <summary>A frame whose header and payload verify and which continues the sequence.</summary>
    Frame,

    /// <summary>Zeros, or the end of the file: nothing was written here.</summary>
    End,

    /// <summary>Bytes that are no frame header of this segment at this offset.</summary>
    BadHeader,

    /// <summary>A header that verifies, with a payload that does not or is cut off.</summary>
    BadPayload,

    /// <summary>A frame that verifies but does not continue the one before: a frame between them is missing.</summary>
    OutOfOrder,
}
