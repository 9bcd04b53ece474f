// Draws model programs: three to six types as users of another serializer write them.

using Store.Tests.Generator.RandomModels.Marks;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws programs.</summary>
internal sealed class ModelDrawer
{
    private readonly Random _random;
    private readonly ModelProgram _program;
    private readonly ModelTypeDrawer _types;
    private int _members;

    private ModelDrawer(int seed, OtherSerializer serializer)
    {
        _random = new Random((seed * 2) + (int)serializer);
        _program = new ModelProgram(serializer);
        _types = new ModelTypeDrawer(_program, _random);
    }

    private bool IsJson => _program.Serializer == OtherSerializer.Json;

    private PeerMarks? Marks => _program.Marks;

    /// <summary>The program of a seed, which is the same each time.</summary>
    public static ModelProgram Draw(int seed, OtherSerializer serializer)
    {
        var drawer = new ModelDrawer(seed, serializer);
        drawer.DrawTypes();
        foreach (ModelType type in drawer._program.Types) drawer.DrawMembers(type);
        return drawer._program;
    }

    private bool Chance(int percent) => _random.Next(100) < percent;

    private void DrawTypes()
    {
        PeerStyle style = Marks?.DrawStyle(_random) ?? default;
        ContractMode mode = Marks is not null ? ContractMode.Contract : _random.Next(10) switch { < 6 => ContractMode.Contract, < 8 => ContractMode.Serializable, _ => ContractMode.Plain };
        for (int count = _random.Next(3, 7), i = 0; i < count; i++)
        {
            var type = new ModelType { Index = i, Kind = _random.Next(20) switch { < 10 => ModelKind.Class, < 12 => ModelKind.Struct, < 15 => ModelKind.Record, < 16 => ModelKind.RecordStruct, < 18 => ModelKind.Enum, < 19 => ModelKind.Interface, _ => ModelKind.Class }, Mode = mode, Style = style, Turns = _random.Next(256) };
            if (Marks is null && mode != ContractMode.Plain && Chance(15)) type.Mode = mode == ContractMode.Contract ? ContractMode.Serializable : ContractMode.Contract;
            _program.Types.Add(type);
            if (type.Kind == ModelKind.Enum)
            {
                bool isContract = !IsJson && Marks is null && Chance(50);
                type.Turns = isContract ? 1 : 0;
                type.Attributes = isContract ? "[DataContract]" : "";
                type.Extra = isContract ? "[EnumMember(Value = \"x\")] A, [EnumMember] B, C = 7" : "A, B, C = 7";
                type.IsSealed = Chance(30);
                continue;
            }

            DrawForm(type);
        }

        // Of what nothing is derived from there are no values.
        foreach (ModelType type in _program.Types.Where(type => !type.IsConcrete && type.Kind != ModelKind.Enum && !_program.CasesOf(type).Any()).ToArray())
        {
            if (type.Kind == ModelKind.Interface) _program.Types.Remove(type);
            else type.IsAbstract = false;
        }

        foreach (ModelType type in _program.Types) type.Interfaces.RemoveAll(one => !_program.Types.Contains(one));
    }

    private void DrawForm(ModelType type)
    {
        ModelType[] known = [.. _program.Types.Where(one => one != type && one.Kind != ModelKind.Enum)];
        if (type.Kind is ModelKind.Class or ModelKind.Record)
        {
            ModelType[] bases = [.. known.Where(one => one.Kind == type.Kind && !one.IsSealed && one.Collection is null && one.Effective != ConstructorForm.Primary | type.Kind == ModelKind.Class)];
            if (bases.Length > 0 && Chance(50))
            {
                type.Base = bases[_random.Next(bases.Length)];
                if (type.Base.IsGeneric) type.BaseArgument = _types.Scalar();
            }
            else if (Chance(12))
            {
                type.IsGeneric = true;
            }

            if (type.Base is null && !type.IsGeneric && type.Kind == ModelKind.Class && Chance(12)) DrawCollection(type);
            if (type.Base is { IsGeneric: false } parent && (parent.IsAbstract || (Marks?.TakesCasesOfConcrete ?? (!IsJson || Chance(60)))))
            {
                parent.IsPolymorphic = true;
                if (Marks is null or { TakesCasesOfConcrete: true }) parent.Chain.Last().IsPolymorphic = true;
            }

            type.IsAbstract = type.Collection is null && !type.IsGeneric && Chance(15);
            type.IsPolymorphic |= type.IsAbstract;
            type.IsSealed = !type.IsAbstract && Chance(12);
        }

        foreach (ModelType one in known.Where(static one => one.Kind == ModelKind.Interface)) if (type.Kind != ModelKind.Interface && Chance(60)) type.Interfaces.Add(one);
        type.IsPolymorphic |= type.Kind == ModelKind.Interface;
        ModelType[] outer = [.. known.Where(static one => one is { IsGeneric: false, Kind: not ModelKind.Interface, NestedIn: null })];
        if (outer.Length > 0 && Chance(12)) type.NestedIn = outer[_random.Next(outer.Length)];
        // Nothing is declared in what is derived from it: that would be a cycle.
        if (type.NestedIn is { } holder && holder.Chain.Any(one => one == type)) type.NestedIn = null;
        type.Form = type.Kind switch
        {
            ModelKind.Interface => ConstructorForm.None,
            ModelKind.Struct => _random.Next(5) switch { < 3 => ConstructorForm.None, 3 => ConstructorForm.Both, _ => ConstructorForm.Full },
            ModelKind.Record or ModelKind.RecordStruct when type.Collection is null => Chance(60) ? ConstructorForm.Primary : ConstructorForm.None,
            _ => _random.Next(10) switch { < 4 => ConstructorForm.None, < 6 => ConstructorForm.Empty, < 8 => ConstructorForm.Both, < 9 => ConstructorForm.Full, _ => ConstructorForm.Primary },
        };
        if (type.Collection is not null) type.Form = ConstructorForm.None;
        if (type.Kind == ModelKind.Class && type.Form == ConstructorForm.Primary && type.Base is not null) type.Form = ConstructorForm.Both;
        if (!IsJson && type.Mode == ContractMode.Plain)
        {
            // It needs one without parameters, that anybody may call.
            if (type.Form is ConstructorForm.Full or ConstructorForm.Primary && Chance(95)) type.Form = type.Kind == ModelKind.Class ? ConstructorForm.Both : ConstructorForm.None;
            type.Turns -= type.Turns % 8;
        }

        if (Marks is not null)
        {
            type.Attributes = Marks.OfType(type, _random);
            return;
        }

        List<string> attributes = [];
        if (!IsJson) attributes.Add(type.Mode switch
        {
            ContractMode.Contract when type.Collection is not null && Chance(25) => "[DataContract]",
            ContractMode.Contract when type.Collection is not null => Chance(50) ? "[CollectionDataContract(Name = \"c" + type.Index + "\")]" : "",
            ContractMode.Contract => _random.Next(6) switch { 0 => $"[DataContract(Name = \"n{type.Index}\", Namespace = \"urn:x\")]", 1 or 2 when type is { IsValue: false, Base: null } => "[DataContract(IsReference = true)]", _ => "[DataContract]" },
            ContractMode.Serializable => "[Serializable]",
            _ => "",
        });
        else if (Chance(8)) attributes.Add("[Serializable]");
        if (type.Kind == ModelKind.Interface) attributes.Clear();
        if (IsJson && type is { Kind: ModelKind.Class, Collection: null } && type.Form is ConstructorForm.None or ConstructorForm.Empty && Chance(8)) attributes.Add("[JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]");
        type.Attributes = string.Join(" ", attributes.Where(static one => one.Length > 0));
    }

    private void DrawCollection(ModelType type)
    {
        MemberType item = _types.Scalar();
        type.IsWrapper = Chance(30);
        if (type.IsWrapper)
        {
            type.Collection = item;
            return;
        }

        type.Collection = Chance(35) ? _types.Map(null, 1, "Dictionary") : new MemberType($"{(Chance(50) ? "List" : Chance(50) ? "Collection" : "ObservableCollection")}<{item.Name}>", "") { Fill = $"foreach (var one in R.Many<{item.Name}>(r, () => {item.Value}!)) $.Add(one);" };
    }

    private void DrawMembers(ModelType type)
    {
        if (type.Kind is ModelKind.Enum or ModelKind.Interface) return;
        int count = type.Collection is null ? _random.Next(2, 7) : _random.Next(0, 3);
        var members = new ModelMemberDrawer(_program, _types, _random, type);
        var ofBase = new ModelOverrideDrawer(_program, _types, _random, type);
        if (type.Base is { } parent)
        {
            foreach (ModelMember of in parent.Chain.SelectMany(static one => one.Members).Where(static one => one.Overrides is null && one.Declaration.Contains(" virtual ", StringComparison.Ordinal) | one.IsAbstract).ToArray())
            {
                bool isDone = parent.Chain.Any(one => one.Members.Any(member => member.Overrides == of));
                if (parent.Chain.Any(one => one.Members.Any(member => member.Overrides == of && member.Declaration.Contains("sealed ", StringComparison.Ordinal)))) continue;
                if ((of.IsAbstract && !type.IsAbstract && !isDone) || Chance(40)) type.Members.Add(ofBase.Override(_members++, of));
            }

            ModelMember[] hidden = [.. parent.Chain.SelectMany(static one => one.Members).Where(static one => one.Overrides is null && one.Declaration.StartsWith("@private ", StringComparison.Ordinal) && !one.Declaration.Contains("_m", StringComparison.Ordinal))];
            if (hidden.Length > 0 && Chance(35)) type.Members.Add(ofBase.Beside(_members++, hidden[_random.Next(hidden.Length)]));
            ModelMember[] plain = [.. parent.Members.Where(static one => one is { IsPositional: false, Overrides: null, IsAbstract: false } && one.Declaration.StartsWith("@public ", StringComparison.Ordinal) && !one.Declaration.Contains(" virtual ", StringComparison.Ordinal))];
            if (plain.Length > 0 && Chance(10)) type.Members.Add(ofBase.Hide(_members++, plain[_random.Next(plain.Length)]));
        }

        for (int i = 0; i < count; i++) type.Members.Add(members.Draw(_members++));
        if (type.Base is not null && type.Effective is ConstructorForm.Full or ConstructorForm.Both && type.Base.Parameters.FirstOrDefault(static one => one.Type.Fill is not null) is { } passed && Chance(60)) type.Members.Add(ofBase.Passed(_members++, passed));
        if (type.Form == ConstructorForm.Primary && type.Kind is ModelKind.RecordStruct && !type.Parameters.Any()) type.Members.Add(members.Positional(_members++));
        type.Extra = members.Extra();
    }
}
