using Store.Recovery;

namespace Store.Tests.Recovery;

/// <summary>Walks every row of the table against the copy in docs/recovery.md, so that page and code cannot drift apart.</summary>
public class RecoveryPlanTests
{
    private static readonly Dictionary<string, RecoveryCase> Rows = new()
    {
        ["A"] = RecoveryCase.NothingThere,
        ["B"] = RecoveryCase.SnapshotsWithoutLog,
        ["C"] = RecoveryCase.NewerVersion,
        ["D"] = RecoveryCase.BadHeader,
        ["E"] = RecoveryCase.ForeignSegment,
        ["F"] = RecoveryCase.MissingSegment,
        ["G"] = RecoveryCase.BrokenLink,
        ["P"] = RecoveryCase.OlderWriter,
        ["M"] = RecoveryCase.MissingStart,
        ["N"] = RecoveryCase.RetiredSegment,
        ["H"] = RecoveryCase.Closed,
        ["I"] = RecoveryCase.EndsInZeros,
        ["J"] = RecoveryCase.EndsWithFooter,
        ["K"] = RecoveryCase.TornTail,
        ["L"] = RecoveryCase.AcknowledgedLost,
        ["O"] = RecoveryCase.MissingEnd,
    };

    [Fact]
    public void EveryRowOfThePageIsDecidedAsThePageSays()
    {
        int walked = 0;
        foreach (string[] cells in Repository.TableRows("docs/recovery.md").Where(cells => cells.Length >= 5 && Rows.ContainsKey(cells[0])))
        {
            RecoveryCase found = Rows[cells[0]];
            foreach ((RecoveryMode mode, string cell) in new[] { (RecoveryMode.Strict, cells[2]), (RecoveryMode.TruncateTorn, cells[3]), (RecoveryMode.Salvage, cells[4]) })
            {
                Assert.Equal(Action(cell), RecoveryPlan.Decide(found, mode, isFirstSegment: false));
                bool needsPredecessor = cell.Contains("refuse when", StringComparison.Ordinal);
                Assert.Equal(needsPredecessor ? RecoveryAction.Refuse : Action(cell), found is RecoveryCase.BrokenLink or RecoveryCase.OlderWriter ? RecoveryPlan.Decide(found, mode, isFirstSegment: false) : RecoveryPlan.Decide(found, mode, isFirstSegment: true));
                walked++;
            }
        }

        Assert.Equal(Rows.Count * 3, walked);
        Assert.Equal(Enum.GetValues<RecoveryCase>().Order(), Rows.Values.Order());
    }

    private static RecoveryAction Action(string cell) => cell.Split(' ', ',')[0] switch
    {
        "create" => RecoveryAction.Create,
        "open" => RecoveryAction.Open,
        "cut" => RecoveryAction.Cut,
        "set" => RecoveryAction.SetAside,
        "begin" => RecoveryAction.BeginHere,
        "end" => RecoveryAction.EndHere,
        "remove" => RecoveryAction.Remove,
        "refuse" => RecoveryAction.Refuse,
        _ => throw new InvalidOperationException($"docs/recovery.md: '{cell}' is no action."),
    };
}
