// Draws the marks of members: those of the serializer of the program, and now and then those of another.

using System.Globalization;

namespace Store.Tests.Generator.RandomModels;

/// <summary>What all have that draw members of a type: what is known of the type, and a member that has nothing but its marks.</summary>
/// <param name="program">The program.</param>
/// <param name="types">What draws types of members.</param>
/// <param name="random">The chance.</param>
/// <param name="type">The type.</param>
internal abstract class ModelMarkDrawer(ModelProgram program, ModelTypeDrawer types, Random random, ModelType type)
{
    protected ModelProgram Program => program;

    protected ModelTypeDrawer Types => types;

    protected Random Random => random;

    protected ModelType Type => type;

    protected bool IsJson => Program.Serializer == OtherSerializer.Json;

    protected bool IsContract => !IsJson && Program.Marks is null && Type.Mode == ContractMode.Contract;

    protected bool IsSerializable => !IsJson && Program.Marks is null && Type.Mode == ContractMode.Serializable;

    protected bool TakesParameters => Type.Effective is ConstructorForm.Full or ConstructorForm.Both or ConstructorForm.Primary;

    protected bool IsHeadOfClass => Type.Effective == ConstructorForm.Primary && Type.Kind is not (ModelKind.Record or ModelKind.RecordStruct);

    protected bool Chance(int percent) => Random.Next(100) < percent;

    protected ModelMember WithHiddenMark(ModelMember member)
    {
        if (Program.Marks is { } marks && member.Declaration.StartsWith("private ", StringComparison.Ordinal)) member.Declaration = marks.OfHidden(Type) + member.Declaration;
        return member;
    }

    protected ModelMember Make(int number, MemberType of, bool isOpen, bool canSet, bool isField = false, string? name = null)
    {
        var member = new ModelMember { Number = number, Name = name ?? "M" + number.ToString(CultureInfo.InvariantCulture), Type = of };
        member.Marks = Marks(number, of, isOpen, canSet, isField);
        return member;
    }

    private string Marks(int number, MemberType of, bool isOpen, bool canSet, bool isField)
    {
        string digits = number.ToString(CultureInfo.InvariantCulture);
        if (Program.Marks is { } marks) return marks.OfMember(Type, number, of, isOpen, Random);
        if (IsJson) return JsonMarks(digits, of, isOpen, canSet);
        if (IsContract)
        {
            if (Chance(10)) return Chance(40) ? "[IgnoreDataMember]" : "";
            List<string> settings = [];
            if (Chance(20)) settings.Add($"Name = \"n{digits}\"");
            if (Chance(20)) settings.Add($"Order = {Random.Next(4)}");
            if (Chance(10) && !Type.Chain.Any(static one => one.Attributes.Contains("IsReference", StringComparison.Ordinal))) settings.Add("IsRequired = true");
            else if (Chance(12)) settings.Add("EmitDefaultValue = false");
            // The marks of another serializer say nothing here.
            string other = Chance(6) ? isField ? "[JsonInclude]" : $"[JsonPropertyName(\"j{digits}\")]" : Chance(2) ? "[JsonIgnore]" : "";
            return $"[DataMember{(settings.Count > 0 ? $"({string.Join(", ", settings)})" : "")}]{other}";
        }

        if (IsSerializable) return isField ? Chance(12) ? "[NonSerialized]" : Chance(5) ? "[OptionalField]" : "" : Chance(5) ? "[IgnoreDataMember]" : "";
        return Chance(10) ? "[IgnoreDataMember]" : "";
    }

    private string JsonMarks(string digits, MemberType of, bool isOpen, bool canSet)
    {
        List<string> marks = [];
        if (!isOpen && Chance(80)) marks.Add("[JsonInclude]");
        if (Chance(15)) marks.Add($"[JsonPropertyName(\"n{digits}\")]");
        if (Chance(8)) marks.Add($"[JsonPropertyOrder({Random.Next(-2, 4)})]");
        if (canSet && (isOpen || marks.Contains("[JsonInclude]")) && Chance(5)) marks.Add("[JsonRequired]");
        else if (Chance(10)) marks.Add(Random.Next(4) switch { 0 => "[JsonIgnore]", 1 when !of.IsValue || of.Name.EndsWith('?') => "[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]", 2 => "[JsonIgnore(Condition = JsonIgnoreCondition.Never)]", _ => "[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]" });
        if (of.IsNumber && Chance(8)) marks.Add("[JsonNumberHandling(JsonNumberHandling.AllowReadingFromString | JsonNumberHandling.WriteAsString)]");
        if (of.IsEnum && Chance(40)) marks.Add("[JsonConverter(typeof(JsonStringEnumConverter))]");
        if (marks.Contains("[JsonInclude]") && marks.Contains("[JsonIgnore]")) marks.Remove("[JsonIgnore]");
        if (isOpen && marks.Count == 0 && Chance(10)) marks.Add("[JsonInclude]");
        // One of another serializer beside one of its own, which counts.
        if (marks.Exists(static one => one is "[JsonInclude]" || one.StartsWith("[JsonPropertyName", StringComparison.Ordinal)) && Chance(6)) marks.Add(Chance(50) ? "[IgnoreDataMember]" : "[XmlIgnore]");
        return string.Join("", marks);
    }
}
