using System.Collections.Concurrent;

namespace Store.Serialization.Evolution;

/// <summary>The plans from stored schemas to one own schema, each built once. Safe for any number of threads.</summary>
internal sealed class MapperCache(NinoSchema own)
{
    // A program meets a handful of older schemas. Bytes from elsewhere may bring any number, each of up to a megabyte, which its plan holds on to.
    private const int MaxPlans = 256;
    internal const long MaxSchemaBytes = 2 << 20;

    // A plan of a few bytes of schema may have all members of the program's types again and again, some fifty bytes each.
    internal const long MaxMembers = 1 << 20;

    private readonly ConcurrentDictionary<ulong, NinoRecordMapper> _plans = new();
    private readonly Lock _gate = new();
    private long _schemaBytes;
    private long _members;
    private NinoRecordMapper? _last;

    /// <summary>Bytes of the stored schemas whose plans are held.</summary>
    internal long SchemaBytes => Interlocked.Read(ref _schemaBytes);

    /// <summary>Members in the plans that are held.</summary>
    internal long Members => Interlocked.Read(ref _members);

    /// <summary>The plan from a stored schema.</summary>
    /// <exception cref="NinoSchemaMismatchException">There is none.</exception>
    public NinoRecordMapper From(NinoSchema stored)
    {
        NinoRecordMapper? last = Volatile.Read(ref _last);
        if (last is not null && ReferenceEquals(last.Stored, stored)) return last;
        if (!_plans.TryGetValue(stored.Fingerprint, out NinoRecordMapper? plan))
        {
            plan = Add(NinoRecordMapper.Create(stored, own));
        }

        if (ReferenceEquals(plan.Stored, stored)) Volatile.Write(ref _last, plan);
        return plan;
    }

    // All are forgotten at once: which of them comes again nobody knows.
    private NinoRecordMapper Add(NinoRecordMapper plan)
    {
        lock (_gate)
        {
            if (_plans.TryGetValue(plan.Stored.Fingerprint, out NinoRecordMapper? known)) return known;
            int bytes = plan.Stored.CanonicalBytes.Length;
            if (_plans.Count >= MaxPlans || ((_schemaBytes + bytes > MaxSchemaBytes || _members + plan.Members > MaxMembers) && !_plans.IsEmpty))
            {
                _plans.Clear();
                _schemaBytes = _members = 0;
            }

            _plans[plan.Stored.Fingerprint] = plan;
            _schemaBytes += bytes;
            _members += plan.Members;
            return plan;
        }
    }
}
