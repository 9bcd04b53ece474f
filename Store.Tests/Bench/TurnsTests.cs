using Store.Bench.Harness;

namespace Store.Tests.Bench;

public sealed class TurnsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(9)]
    public void EveryPeerHasOneTurnInARound(int count)
    {
        for (int round = 0; round < 50; round++) Assert.Equal(Enumerable.Range(0, count), Turns.Order(round, count).Order());
    }

    [Theory]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(12)]
    public void InAsManyRoundsAsThereArePeersEachIsFirstOnce(int count)
    {
        for (int block = 0; block < 20; block++)
        {
            IEnumerable<int> firsts = Enumerable.Range(block * count, count).Select(round => Turns.Order(round, count)[0]);
            Assert.Equal(Enumerable.Range(0, count), firsts.Order());
        }
    }

    /// <summary>An order that goes round would give each peer one predecessor.</summary>
    [Fact]
    public void EveryPeerComesBehindEveryOtherAboutEquallyOften()
    {
        const int Count = 6, Rounds = 3000;
        int[,] behind = new int[Count, Count];
        for (int round = 0; round < Rounds; round++)
        {
            int[] order = Turns.Order(round, Count);
            for (int turn = 1; turn < Count; turn++) behind[order[turn], order[turn - 1]]++;
        }

        // Five pairs a round, thirty of them there are.
        const double Expected = Rounds * (Count - 1) / (double)(Count * (Count - 1));
        for (int peer = 0; peer < Count; peer++)
        {
            for (int before = 0; before < Count; before++)
            {
                if (before == peer) Assert.Equal(0, behind[peer, before]);
                else Assert.InRange(behind[peer, before], Expected * 0.8, Expected * 1.2);
            }
        }
    }

    [Fact]
    public void OrdersAreTheSameInEveryRun() => Assert.Equal(Turns.Order(7, 9), Turns.Order(7, 9));

    [Fact]
    public void AnOrderOfNobodyIsRefused() => Assert.Throws<ArgumentOutOfRangeException>(() => Turns.Order(0, 0));
}
