// Draws the members of one type: how they are declared follows from what the type is and how reading makes it.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Draws members of a type whose bases have theirs already.</summary>
/// <param name="program">The program.</param>
/// <param name="type">The type.</param>
/// <param name="random">Its own chance.</param>
/// <param name="seed">The program's seed: in <see cref="Turns"/> programs with seeds in a row every type of the framework stands somewhere.</param>
internal sealed class MemberDrawer(ProgramModel program, TypeModel type, Random random, int seed)
{
    /// <summary>How many programs it takes.</summary>
    public const int Turns = 4;

    /// <summary>The number of the type that has them.</summary>
    public const int Holder = 3;

    private readonly TypeRefDrawer _types = new(random, program, type);

    public void Draw()
    {
        if (type.Form is TypeForm.Enum or TypeForm.Interface) return;
        HashSet<string> taken = new(type.AllMembers.Select(static member => Plain(member.Name)), StringComparer.OrdinalIgnoreCase) { Plain(type.Name) };
        for (TypeModel? parent = type.Base?.Type; parent is not null; parent = parent.Base?.Type) taken.Add(Plain(parent.Name));
        bool isNumbered = random.Next(8) == 0;
        int count = type.Keys != Keys.None ? random.Next(1, 4) : random.Next(12) switch { < 2 => random.Next(0, 2), 2 => random.Next(15, 40), _ => random.Next(1, 8) };
        // The runtime has been seen to lay another field of a class over a reference where one is a struct without fields.
        if (type.IsValue) count = Math.Max(count, 1);
        // There are so many names, and a class may have long bases.
        count = Math.Min(count, Math.Max(0, Names.Members.Length - taken.Count - 5));
        for (int i = 0; i < count; i++)
        {
            string name;
            do name = Names.Members[random.Next(Names.Members.Length)];
            while (!taken.Add(Plain(name)));
            MemberForm form = Form();
            bool isFilled = form is MemberForm.Filled or MemberForm.FilledField;
            var member = new MemberModel
            {
                Index = i,
                Name = name,
                Form = form,
                Type = isFilled ? _types.Filled() : type.Keys != Keys.None ? _types.Key(Keys.Hashed, 0) : type.Making == Making.Factory && program.HasReferences ? new TypeRef.Scalar(Framework.Common[random.Next(Framework.Common.Count)]) : _types.Draw(random.Next(4), type.IsValue),
            };
            // A record that takes one of its own type alone has two copy constructors, also one that is passed on to its base.
            if (type.IsRecord && member.IsPassed && member.Type.Parts().Any(part => part is TypeRef.Declared declared && (declared.Type == type || declared.Type.DerivesFrom(type)))) member.Form = MemberForm.Init;
            if (isNumbered && member.IsStored && (type.Base is null)) member.Id = 200 - (i * 3);
            TypeRef text = member.Type is TypeRef.Collection { Kind.Arity: 1 } list && Framework.Usual.Contains(list.Kind) ? list.Arguments[0] : member.Type is TypeRef.Array array ? array.Element : member.Type;
            if (member.IsStored && text is TypeRef.Scalar { Kind.Name: "string" } or TypeRef.Maybe { Inner: TypeRef.Scalar { Kind.Name: "string" } }) member.IsUtf8 = random.Next(3) == 0;
            if (member.IsStored && !isFilled && !member.IsUtf8 && random.Next(2) == 0) member.Codec = CodecOf(member.Type);
            type.Members.Add(member);
        }

        if (type.Index == Holder) AddInTurn();
        DrawOverrides();
        if (!type.HasCallbacks) return;
        foreach (MemberModel member in type.Members) member.IsTurned = Turning.IsPossible(member) && random.Next(2) == 0;
    }

    private void DrawOverrides()
    {
        if (type.Form is not (TypeForm.Class or TypeForm.Record)) return;
        foreach (MemberModel member in type.Members.Where(member => member.Form is MemberForm.Set or MemberForm.Init && !type.IsSealed && random.Next(2) == 0))
        {
            member.IsVirtual = true;
            member.IsAbstract = type.IsAbstract && random.Next(2) == 0;
        }

        if (type.Base is not { Type: { } parent }) return;
        MemberModel[] unmade = [.. parent.Unmade];
        foreach (MemberModel member in parent.AllMembers.Where(member => member.IsVirtual && !parent.Chain.Any(one => one.Overrides.Any(other => other.Member == member && other.IsSealed))))
        {
            // No member has the name of its type.
            if (Plain(member.Name).Equals(Plain(type.Name), StringComparison.OrdinalIgnoreCase))
            {
                member.IsAbstract = false;
                continue;
            }

            bool isUnmade = unmade.Contains(member);
            if ((isUnmade && !type.IsAbstract) || random.Next(2) == 0) type.Overrides.Add(new Override(member, !isUnmade && random.Next(3) == 0, random.Next(5) == 0));
        }
    }

    // One member for each type of the framework whose turn it is.
    private void AddInTurn()
    {
        FrameworkGeneric[] generics = [.. Framework.Usual, .. Framework.Unusual];
        int index = 100;
        for (int i = seed % Turns; i < generics.Length; i += Turns) Add(_types.Collection(generics[i], 1, false));
        for (int i = seed % Turns; i < Framework.Rare.Count; i += Turns) Add(new TypeRef.Scalar(Framework.Rare[i]));

        void Add(TypeRef of) => type.Members.Add(new MemberModel { Index = index, Name = $"InTurn{index++}", Form = random.Next(2) == 0 ? MemberForm.Set : MemberForm.Init, Type = of });
    }

    private static OwnCodec? CodecOf(TypeRef of) => OwnCodecs.OfMembers.FirstOrDefault(codec => codec.Fits(of));

    private static string Plain(string name) => name.TrimStart('@').TrimStart('_');

    private MemberForm Form()
    {
        bool isPassing = type.Making is Making.Head or Making.Constructor or Making.Factory;
        if (type.Keys != Keys.None) return isPassing ? MemberForm.GetOnly : MemberForm.Init;
        if (isPassing && random.Next(2) == 0) return random.Next(5) == 0 && !type.IsRecord ? MemberForm.ReadonlyField : MemberForm.GetOnly;
        if (type.IsReadonly) return random.Next(3) switch { 0 => MemberForm.PrivateReadonlyField, _ => MemberForm.Init };
        int choice = random.Next(type.IsValue ? 15 : 20);
        if (type.Making == Making.Factory && choice is 3 or 4) choice = 0;
        return choice switch
        {
            < 2 => MemberForm.Set,
            2 => MemberForm.Init,
            3 => MemberForm.Required,
            4 => MemberForm.RequiredField,
            < 8 => MemberForm.Field,
            8 => MemberForm.PrivateField,
            9 => MemberForm.PrivateSet,
            10 => MemberForm.InternalIncluded,
            11 => MemberForm.Backed,
            12 => MemberForm.FieldKeyword,
            13 => MemberForm.PrivateReadonlyField,
            14 => MemberForm.Ignored,
            < 18 => MemberForm.Filled,
            18 => MemberForm.FilledField,
            _ => MemberForm.Set,
        };
    }
}
