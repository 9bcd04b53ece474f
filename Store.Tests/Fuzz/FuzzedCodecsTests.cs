// Which codecs of the library does generated code of this assembly use? Every one is read with mutated input: a codec that no type of the tests has would be in none.

using System.Reflection;
using System.Reflection.Emit;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Fuzz;

/// <summary>A type of another assembly has its codec there.</summary>
[NinoType]
public sealed class FuzzedElsewhere
{
    public global::Store.Bench.Workloads.SimpleModel? Model { get; set; }
}

public sealed class FuzzedCodecsTests
{
    private static readonly Dictionary<short, OpCode> OpCodesByValue = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static).Select(static field => (OpCode)field.GetValue(null)!).ToDictionary(static code => code.Value);

    // Not here: a base of which several assemblies know cases (MergedUnionDamageTests compile some), and keys in which something is declared as object, which is an error in an assembly with types as this one has (LoopingKeyTests).
    private static readonly Type[] Elsewhere = [typeof(MergedUnion<>), typeof(OpenKeyCodec<,>)];

    [Fact]
    public void EveryCodecOfTheLibraryIsInsideOfATypeThatIsFuzzed()
    {
        HashSet<Type> used = [];
        foreach (FuzzTarget target in SerializerFuzzTests.Targets()) Use(CodecOf(target.Type), used);

        Assembly library = typeof(StringCodec).Assembly;
        Type[] codecs = [.. library.GetTypes().Where(static type => type is { IsValueType: true, IsNested: false } && type.GetInterfaces().Any(static one => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(INinoCodec<>)))];
        Assert.True(codecs.Length > 60);
        Assert.Empty(codecs.Where(codec => !used.Contains(codec) && !Elsewhere.Contains(codec)).Select(static codec => codec.Name).Order());

        // And the forms that codecs of framework types are made of.
        Type[] forms = [.. library.GetTypes().Where(static type => type is { IsValueType: true, IsPublic: true } && type.Namespace == typeof(StringCodec).Namespace && type.GetInterfaces().Any(static one => one.Name.Contains("Form`", StringComparison.Ordinal)))];
        Assert.True(forms.Length > 40);
        Assert.Empty(forms.Where(form => !used.Contains(form)).Select(static form => form.Name).Order());
    }

    // The adapter of a registered codec is of the codec's type.
    private static Type CodecOf(Type type)
    {
        object codec = typeof(NinoCodec<>).MakeGenericType(type).GetProperty("Default")!.GetValue(null)!;
        return codec.GetType().GetGenericArguments() is [_, { } inner] ? inner : codec.GetType();
    }

    // A codec, what it is closed over, and those that its methods name.
    private static void Use(Type type, HashSet<Type> used)
    {
        if (type.IsGenericType)
        {
            foreach (Type argument in type.GetGenericArguments()) Use(argument, used);
            if (type.Assembly == typeof(StringCodec).Assembly) used.Add(type.GetGenericTypeDefinition());
        }

        if (!used.Add(type) || type.Namespace is not ("Store.Serialization.Generated" or "Store.Serialization.Codecs")) return;
        foreach (MethodInfo method in type.GetMethods(BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
        {
            foreach (Type named in NamedIn(method)) Use(named, used);
        }
    }

    private static IEnumerable<Type> NamedIn(MethodInfo method)
    {
        if (method.GetMethodBody()?.GetILAsByteArray() is not { } code) yield break;
        for (int at = 0; at < code.Length;)
        {
            OpCode op = code[at] == 0xFE ? OpCodesByValue[unchecked((short)(0xFE00 | code[at + 1]))] : OpCodesByValue[code[at]];
            at += op.Size;
            int operand = op.OperandType switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, at)),
                _ => 4,
            };
            if (op.OperandType is OperandType.InlineType or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineField)
            {
                Type[]? ofType = method.DeclaringType!.IsGenericType ? method.DeclaringType.GetGenericArguments() : null, ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : null;
                MemberInfo member = method.Module.ResolveMember(BitConverter.ToInt32(code, at), ofType, ofMethod)!;
                if ((member as Type ?? member.DeclaringType) is { } named) yield return named;
                if (member is MethodInfo { IsGenericMethod: true } generic)
                {
                    foreach (Type argument in generic.GetGenericArguments()) yield return argument;
                }
            }

            at += operand;
        }
    }
}
