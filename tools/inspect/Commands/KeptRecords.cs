namespace Store.Inspect.Commands;

/// <summary>The records of a log whose retention may remove its beginning while they are read: what is kept.</summary>
internal static class KeptRecords
{
    /// <summary>Reads on with the first record that is kept wherever others were removed.</summary>
    /// <param name="reader">The log.</param>
    /// <param name="range">Which records.</param>
    /// <param name="onDamage">Told about each damaged place once.</param>
    /// <param name="onRemoved">Told the first record that is kept, when others of the range before it were removed.</param>
    /// <returns>Records whose payload is valid until the enumeration moves on.</returns>
    public static IEnumerable<LogRecord> Of(StoreReader reader, ReadOptions range, Action<StoreDamage> onDamage, Action<long> onRemoved)
    {
        // What is wrong with the folder is told by every reading, before its first record.
        HashSet<StoreDamage> told = [];
        bool hasBegun = false;
        while (true)
        {
            LogTruncatedException? truncated = null;
            using (IEnumerator<LogRecord> records = reader.ReadRecords(range, Tell).GetEnumerator())
            {
                while (MoveNext(records, out truncated))
                {
                    hasBegun = true;
                    yield return records.Current;
                }
            }

            if (truncated is null) yield break;

            // Nothing is left of what was there when it was opened.
            if (truncated.FirstSequence <= range.FromSequence) yield break;
            onRemoved(truncated.FirstSequence);
            if (truncated.FirstSequence > range.ToSequence) yield break;
            range = range with { FromSequence = truncated.FirstSequence };
        }

        void Tell(StoreDamage damage)
        {
            if (hasBegun ? !told.Contains(damage) : told.Add(damage)) onDamage(damage);
        }
    }

    private static bool MoveNext(IEnumerator<LogRecord> records, out LogTruncatedException? truncated)
    {
        truncated = null;
        try
        {
            return records.MoveNext();
        }
        catch (LogTruncatedException e)
        {
            truncated = e;
            return false;
        }
    }
}
