using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models of the serializer Nino.</summary>
public sealed class NinoModelTests
{
    /// <summary>What is not public, of the class and what it may reach of its bases; where Nino is told to take nothing by itself, what has a number.</summary>
    [Theory]
    [InlineData("containNonPublicMembers: true", 1, 2, 3)]
    [InlineData("false, true", 1, 0, 0)]
    [InlineData("autoCollect: true", 0, 0, 0)]
    [InlineData("", 0, 0, 0)]
    public void WhatNinoTakesThatIsNotPublicIsStored(string how, int a, int b, int c)
    {
        string library = "namespace Nino.Core { public sealed class NinoTypeAttribute(bool autoCollect = true, bool containNonPublicMembers = false, bool allowInheritance = true) : Attribute { public (bool, bool, bool) All => (autoCollect, containNonPublicMembers, allowInheritance); } public sealed class NinoMemberAttribute(ushort index) : Attribute { public ushort Index => index; } public sealed class NinoIgnoreAttribute : Attribute; }\n"
            + ForeignAttributes.Quiet + $$"""
            namespace Lib
            {
                [Nino.Core.NinoType({{how}})] public class Base { protected int C { get; set; } public int GetC() => C; }
                [Nino.Core.NinoType({{how}})] public class Model : Base { [Nino.Core.NinoMember(1)] private int _a; private int B { get; set; } [Nino.Core.NinoIgnore] private int _d; private int Twice => _a * 2; public int F; public (int, int, int, int) All() => (_a, B, GetC(), _d); public Model Be(int a, int b, int c, int d) { (_a, B, C, _d) = (a, b, c, d); return this; } public int Two() => Twice; }
            }
            """;
        Programs.Run("#pragma warning disable NINO017\n[assembly: NinoSerializable(typeof(Lib.Model))]\n" + library, $"Lib.Model copy = Copy(new Lib.Model {{ F = 5 }}.Be(1, 2, 3, 4)); Equal(({a}, {b}, {c}, 0), copy.All()); Equal(5, copy.F);");
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic[] told = [.. GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Lib.Model))]", isReferenceAssembly)];
            Assert.Equal(a > 0, told.Any(static one => one.Id == "NINO020" && one.GetMessage().Contains("'Lib.Model' stores all its members ([NinoType] of Nino with containNonPublicMembers)", StringComparison.Ordinal)));
        }
    }
}
