using System.Collections.Concurrent;

namespace Store.Serialization.Evolution;

/// <summary>The plans from stored schemas to one own schema, each built once. Safe for any number of threads.</summary>
internal sealed class MapperCache(NinoSchema own)
{
    // A program meets a handful of older schemas. Bytes from elsewhere may bring any number.
    private const int MaxPlans = 256;

    private readonly ConcurrentDictionary<ulong, NinoRecordMapper> _plans = new();
    private NinoRecordMapper? _last;

    /// <summary>The plan from a stored schema.</summary>
    /// <exception cref="NinoSchemaMismatchException">There is none.</exception>
    public NinoRecordMapper From(NinoSchema stored)
    {
        NinoRecordMapper? last = Volatile.Read(ref _last);
        if (last is not null && ReferenceEquals(last.Stored, stored)) return last;
        if (!_plans.TryGetValue(stored.Fingerprint, out NinoRecordMapper? plan))
        {
            plan = NinoRecordMapper.Create(stored, own);
            if (_plans.Count >= MaxPlans) _plans.Clear();
            plan = _plans.GetOrAdd(stored.Fingerprint, plan);
        }

        if (ReferenceEquals(plan.Stored, stored)) Volatile.Write(ref _last, plan);
        return plan;
    }
}
