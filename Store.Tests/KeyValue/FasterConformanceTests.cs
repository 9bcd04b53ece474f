// FASTER behind the public conformance cases, with plenty of memory and with nearly none.

using Store.Conformance;
using Store.Faster;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

public class FasterConformanceTests
{
    public static TheoryData<string, bool> Cases
    {
        get
        {
            var data = new TheoryData<string, bool>();
            foreach (ConformanceCase one in KeyValueConformance.Cases)
            {
                data.Add(one.Name, false);
                data.Add(one.Name, true);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task FasterDoesWhatAnEngineMust(string name, bool isTiny)
    {
        using var folder = new TemporaryFolder();
        await KeyValueConformance.Cases.Single(one => one.Name == name).Run(new FasterEngineUnderTest(isTiny ? KeyValueBed.Tiny : null), folder.Path).WaitAsync(TimeSpan.FromMinutes(2));
    }

    /// <summary>A case that no engine could fail would be none: an engine that forgets deletions fails.</summary>
    [Fact]
    public async Task AnEngineThatDoesOtherwiseIsFound()
    {
        using var folder = new TemporaryFolder();
        ConformanceCase independence = KeyValueConformance.Cases.Single(one => one.Name.StartsWith("States of one store", StringComparison.Ordinal));
        await Assert.ThrowsAnyAsync<Exception>(() => independence.Run(new OneForAll(), folder.Path));
    }

    private sealed class FasterEngineUnderTest(FasterOptions? options) : KeyValueEngine
    {
        public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name) => store.OpenKeyValue<TKey, TValue>(name, options);
    }

    private sealed class OneForAll : KeyValueEngine
    {
        public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name) => store.OpenKeyValue<TKey, TValue>("the same");
    }
}
