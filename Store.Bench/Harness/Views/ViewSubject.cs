// What a row of the verb "views" is, before and after it is measured.

namespace Store.Bench.Harness.Views;

/// <summary>One measured row.</summary>
/// <param name="Name">What is done.</param>
/// <param name="MinNs">The least of its samples, an operation.</param>
/// <param name="MedianNs">Their median.</param>
/// <param name="AllocatedBytes">An operation.</param>
/// <param name="Base">The row that it is compared with, or null.</param>
public sealed record ViewRow(string Name, double MinNs, double MedianNs, double AllocatedBytes, string? Base);

/// <summary>A row before it is measured.</summary>
/// <param name="Name">What is done.</param>
/// <param name="Run">Does it so many times.</param>
/// <param name="Verify">Does it and throws <see cref="InvalidDataException"/> when the result is wrong.</param>
/// <param name="Base">The row that it is compared with, or null.</param>
public sealed record ViewSubject(string Name, Action<int> Run, Action Verify, string? Base = null);
