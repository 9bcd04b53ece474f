using Store.Serialization;
using Store.State;

namespace Store.Tests.State;

[NinoType]
public sealed partial record Deposited(string Account, long Amount);

[NinoType]
public sealed partial record Withdrawn(string Account, long Amount);

/// <summary>A change of another sort: not an event of the bank.</summary>
[NinoType]
public sealed partial record Remark(string Text);

/// <summary>The state under test: what deposits and withdrawals amount to.</summary>
[NinoType]
public sealed partial class Bank
{
    public Dictionary<string, long> Accounts { get; set; } = [];

    public long Events { get; set; }

    public void Apply(Deposited e) => Add(e.Account, e.Amount);

    public void Apply(Withdrawn e) => Add(e.Account, -e.Amount);

    public string Text() => $"{Events}: {string.Join(", ", Accounts.OrderBy(pair => pair.Key, StringComparer.Ordinal).Select(pair => $"{pair.Key}={pair.Value}"))}";

    public static void Events_(StateHandlers<Bank> on) => on.On<Deposited>((bank, e) => bank.Apply(e)).On<Withdrawn>((bank, e) => bank.Apply(e));

    /// <summary>What a log amounts to, read without the state holder.</summary>
    public static Bank Of(NinoStore store, long through = long.MaxValue)
    {
        var bank = new Bank();
        foreach (LogRecord record in store.ReadRecords())
        {
            if (record.Sequence > through) break;
            if (record.Is<Deposited>()) bank.Apply(record.As<Deposited>());
            if (record.Is<Withdrawn>()) bank.Apply(record.As<Withdrawn>());
        }

        return bank;
    }

    /// <summary>What a state that is opened from a store says, closed again.</summary>
    public static async Task<string> OpenedTextAsync(NinoStore store)
    {
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        return bank.Read(static b => b.Text());
    }

    /// <summary>What is restored from a store says.</summary>
    public static async Task<string> RestoredTextAsync(NinoStore store)
    {
        Bank restored = await store.RestoreAsync<Bank>(static (bank, record) =>
        {
            if (record.Is<Deposited>()) bank.Apply(record.As<Deposited>());
            if (record.Is<Withdrawn>()) bank.Apply(record.As<Withdrawn>());
        });
        return restored.Text();
    }

    private void Add(string account, long amount)
    {
        Accounts[account] = Accounts.GetValueOrDefault(account) + amount;
        Events++;
    }
}

/// <summary>An immutable state.</summary>
[NinoType]
public sealed partial record Tally(long Sum)
{
    public Tally() : this(0) { }
}

/// <summary>Another type than <see cref="Bank"/>, whose name differs in case only.</summary>
[NinoType]
public sealed partial class BANK
{
    public List<string> Remarks { get; set; } = [];
}
