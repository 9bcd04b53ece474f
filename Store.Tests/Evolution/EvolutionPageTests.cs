using System.Reflection;

namespace Store.Tests.Evolution;

public class EvolutionPageTests
{
    [Fact]
    public void EveryRowNamesATestThatExists()
    {
        HashSet<string> tests = [.. typeof(EvolutionPageTests).Assembly.GetTypes()
            .Where(static type => type.Namespace == typeof(EvolutionPageTests).Namespace)
            .SelectMany(static type => type.GetMethods())
            .Where(static method => method.GetCustomAttribute<FactAttribute>() is not null)
            .Select(static method => method.Name)];
        Assert.All(EvolutionPage.Table("What becomes of what"), row => Assert.Contains(row[2].Trim('`'), tests));
    }
}
