using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Store.KeyValue;

namespace Store.Faster;

/// <summary>Who watches an opening, and what it goes by.</summary>
/// <param name="Progress">Told how far the replay is; null for nobody.</param>
/// <param name="Token">Gives it up.</param>
internal sealed record OpeningWatch(IProgress<KeyValueOpeningProgress>? Progress = null, CancellationToken Token = default)
{
    /// <summary>The clock of checkpoints by time.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Where trouble that ends nothing is told.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;
}
