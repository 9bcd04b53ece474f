using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>Streams that break their contract, and that throw: what comes out is the right value or says what happened.</summary>
public class BrokenStreamTests
{
    private static readonly string Text = new('x', 40_000);

    private static readonly byte[] Record = NinoSerializer.Serialize(Text);

    private static readonly byte[] Items = ItemsOf(Text);

    public static TheoryData<int, bool> Places => new() { { 0, false }, { 0, true }, { 1, false }, { 1, true }, { 2, false }, { 2, true } };

    /// <summary>Fewer bytes than none, and more than were asked for.</summary>
    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    public async Task AStreamThatTellsACountItCannotHaveReadIsNamed(int told)
    {
        foreach (int[] counts in new int[][] { [told], [100, told], [3_000, told, 5] })
        {
            foreach ((byte[] bytes, Func<BrokenStream, Task> way) in Ways())
            {
                string message = (await Assert.ThrowsAsync<IOException>(() => way(new BrokenStream(bytes, counts) { IsLate = counts.Length == 2 }))).Message;
                Assert.Contains("The stream BrokenStream breaks the contract of Stream", message, StringComparison.Ordinal);
                Assert.Equal(Record, NinoSerializer.Serialize(Text));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Places))]
    public async Task WhatAStreamThrowsIsWhatComesOut(int read, bool isLate)
    {
        foreach ((byte[] bytes, Func<BrokenStream, Task> way) in Ways())
        {
            await Assert.ThrowsAsync<OddWriterException>(() => way(new BrokenStream(bytes, 100, 3_000) { ThrowsAt = read, IsLate = isLate }));
            Assert.Equal(Record, NinoSerializer.Serialize(Text));
        }
    }

    [Fact]
    public async Task AStreamThatEndsInTheMiddleIsATruncatedRecord()
    {
        foreach ((byte[] bytes, Func<BrokenStream, Task> way) in Ways()) await Assert.ThrowsAsync<NinoSerializationException>(() => way(new BrokenStream(bytes, 100, 0, 50)));
    }

    private static IEnumerable<(byte[] Bytes, Func<BrokenStream, Task> Way)> Ways()
    {
        yield return (Record, static stream => Run(() => NinoSerializer.Deserialize<string>(stream)));
        yield return (Record, static stream => Run(() => NinoSerializer.Deserialize(typeof(string), stream)));
        yield return (Record, static stream => Run(() =>
        {
            string? value = null;
            NinoSerializer.Deserialize(stream, ref value);
        }));
        yield return (Record, static async stream => await NinoSerializer.DeserializeAsync<string>(stream));
        yield return (Record, static async stream => await NinoSerializer.DeserializeAsync(typeof(string), stream));
        yield return (Items, static async stream => await NinoSerializer.DeserializeItemsAsync<string>(stream).CountAsync());
        yield return (Items, static async stream => await NinoSerializer.DeserializeItemsAsync(typeof(string), stream).CountAsync());
    }

    private static byte[] ItemsOf(string text)
    {
        var output = new MemoryStream();
        NinoSerializer.SerializeItemsAsync(output, new[] { text }.ToAsyncEnumerable()).AsTask().GetAwaiter().GetResult();
        return output.ToArray();
    }

    private static Task Run(Action action)
    {
        try
        {
            action();
            return Task.CompletedTask;
        }
        catch (Exception error)
        {
            return Task.FromException(error);
        }
    }
}
