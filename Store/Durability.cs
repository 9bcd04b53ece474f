namespace Store;

/// <summary>What an append waits for. docs/durability.md says what each level survives.</summary>
public enum Durability
{
    /// <summary>In the process's memory: lost when the process dies.</summary>
    Memory,

    /// <summary>In the operating system's cache: survives the process (kill -9), not a power failure.</summary>
    PageCache,

    /// <summary>On the disk: survives a power failure.</summary>
    Disk,
}
