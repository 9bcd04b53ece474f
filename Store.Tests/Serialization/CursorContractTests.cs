using System.ComponentModel;
using System.Reflection;
using System.Text.RegularExpressions;
using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>What <see cref="NinoReader"/> and <see cref="NinoWriter"/> say that they throw, for who writes a codec by hand.</summary>
public sealed partial class CursorContractTests
{
    [Theory]
    [InlineData(typeof(NinoReader), "AddReference Leave")]
    [InlineData(typeof(NinoWriter), "Flush Leave Open")]
    public void EveryMemberStatesWhatItThrows(Type cursor, string throwNothing)
    {
        string[] all = [.. cursor.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly).Where(static method => !method.IsSpecialName).Select(static method => method.Name).Distinct().Order(StringComparer.Ordinal)];
        string xml = File.ReadAllText(Path.ChangeExtension(cursor.Assembly.Location, ".xml"));
        HashSet<string> stated = [.. Members().Matches(xml).Where(match => match.Groups[1].Value == cursor.Name && match.Groups[3].Value.Contains("exception", StringComparison.Ordinal)).Select(static match => match.Groups[2].Value)];
        Assert.Equal(throwNothing.Split(' '), all.Where(name => !stated.Contains(name)));
    }

    [Fact]
    public void WhatOnlyGeneratedCodeHasToCallIsNotOffered()
    {
        MemberInfo[] references = [.. new[] { typeof(NinoReader), typeof(NinoWriter) }.SelectMany(static cursor => cursor.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            .Where(static member => (member.Name.EndsWith("Reference", StringComparison.Ordinal) || member.Name == "ExpectSetters") && member is not MethodInfo { IsSpecialName: true })];
        Assert.Equal(9, references.Length);
        Assert.All(references, static member => Assert.Equal(EditorBrowsableState.Never, member.GetCustomAttribute<EditorBrowsableAttribute>()?.State));
    }

    [Fact]
    public void ANumberOfAnObjectInARecordWithoutAnyIsATypedError()
    {
        Action[] calls =
        [
            static () => new NinoReader([]).SetReference(0, ""),
            static () => new NinoReader([]).EarlyReference<string>(0),
            static () => new NinoReader([]).EndReference(0),
            static () => new NinoReader([]).ExpectSetters(0),
            static () => _ = new NinoWriter(new byte[8]).LastReference,
            static () => new NinoWriter(new byte[8]).SetReference(0),
        ];
        foreach (Action call in calls) Assert.Contains("in a record in which none has one", Assert.Throws<NinoSerializationException>(call).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(int.MaxValue)]
    public void ANumberThatNoObjectHasIsATypedError(int number)
    {
        Action[] calls =
        [
            () => Reading().SetReference(number, ""),
            () => Reading().EarlyReference<string>(number),
            () => Reading().ExpectSetters(number),
            () =>
            {
                var writer = new NinoWriter(new byte[8]);
                Assert.True(writer.WriteReference(""));
                Assert.Equal(0, writer.LastReference);
                writer.SetReference(number);
            },
        ];
        foreach (Action call in calls) Assert.Contains($"the object number {number} of a record in which 1 have one", Assert.Throws<NinoSerializationException>(call).Message, StringComparison.Ordinal);

        static NinoReader Reading()
        {
            var reader = new NinoReader([]);
            Assert.Equal(0, reader.AddReference());
            return reader;
        }
    }

    [Fact]
    public void TooLittleMemoryIsTheErrorThatEachStates()
    {
        Action[] spans =
        [
            static () => new NinoWriter(new byte[2]).Reserve(3), static () => new NinoWriter(new byte[2]).Take(3), static () => new NinoWriter(new byte[2]).WriteBytes([1, 2, 3]), static () => new NinoWriter(new byte[2]).WriteCompact(300),
            static () => new NinoWriter([]).WriteReference(null!),
        ];
        foreach (Action call in spans) Assert.Contains("is too small", Assert.Throws<NinoSerializationException>(call).Message, StringComparison.Ordinal);
        Action[] writers =
        [
            static () => new NinoWriter(new OddWriter(Oddity.OneLess)).Reserve(3), static () => new NinoWriter(new OddWriter(Oddity.OneLess)).Take(3), static () => new NinoWriter(new OddWriter(Oddity.OneLess)).WriteBytes([1, 2, 3]),
            static () => new NinoWriter(new OddWriter(Oddity.OneLess)).WriteCompact(300), static () => new NinoWriter(new OddWriter(Oddity.OneLess)).WriteReference(null!),
        ];
        foreach (Action call in writers) Assert.Contains("breaks the contract of IBufferWriter", Assert.Throws<InvalidOperationException>(call).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void BytesThatAreNotThereAreTheErrorThatEachStatesAndTakeNothing()
    {
        foreach (Action call in (Action[])
        [
            static () => new NinoReader([]).ReadCompact(), static () => new NinoReader([0xFF]).ReadCompact(), static () => new NinoReader([0xFD, 1, 0]).ReadCompact(), static () => new NinoReader([2]).ReadPresence(),
            static () => new NinoReader([]).ReadPresence(), static () => new NinoReader([1]).ReadEmptyBody(), static () => new NinoReader([9, 1]).ReadCount(1), static () => new NinoReader([1]).CheckCount(2, 1),
            static () => new NinoReader([1]).TakeSpan(2), static () => new NinoReader([1]).TakeSpan(-1),
        ]) Assert.Throws<NinoSerializationException>(call);

        var reader = new NinoReader([2, 0xFF]);
        try
        {
            reader.TakeSpan(3);
            Assert.Fail("There are two bytes.");
        }
        catch (NinoSerializationException)
        {
            Assert.Equal(0, reader.Position);
        }
    }

    [GeneratedRegex("<member name=\"[MP]:Store\\.Serialization\\.(\\w+)\\.(\\w+)[^\"]*\">(.*?)</member>", RegexOptions.Singleline)]
    private static partial Regex Members();
}
