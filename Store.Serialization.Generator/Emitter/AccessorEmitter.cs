// Prints the [UnsafeAccessor] methods for members and constructors that generated code cannot name, and the calls to them.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class AccessorEmitter
{
    private const string Kind = "global::System.Runtime.CompilerServices.UnsafeAccessorKind.";

    public static void Emit(SourceWriter source, TypeModel type)
    {
        List<AccessorHolder> holders = [.. Holders(type)];
        for (int i = 0; i < holders.Count; i++)
        {
            AccessorHolder holder = holders[i];
            source.Line();
            source.Block($"private static class Accessors{i}{holder.TypeParameters}{holder.Constraints}", () =>
            {
                foreach (MemberModel member in type.Members)
                {
                    if (member.Accessor is { } accessor && accessor.Holder == holder) EmitMember(source, accessor);
                }

                if (type.Construction.Accessor is { } constructor && constructor.Holder == holder)
                {
                    IEnumerable<string> parameters = constructor.ParameterTypes.Select(static (parameter, index) => $"{parameter} argument{index}");
                    // Of a static method, the first parameter tells the type that declares it.
                    if (constructor.Factory is not null) parameters = parameters.Prepend(constructor.DeclaringType + " declaring");
                    Method(source, constructor.Factory is null ? "Constructor" : "StaticMethod", constructor.Factory, $"{constructor.DeclaringType} Create({string.Join(", ", parameters)})");
                }

                if (type.Construction.InPlace is { Accessor: { } inPlace } && inPlace.Holder == holder)
                {
                    IEnumerable<string> parameters = inPlace.ParameterTypes.Select(static (parameter, index) => $"{parameter} argument{index}").Prepend(inPlace.DeclaringType + " target");
                    Method(source, "Method", ".ctor", $"void CreateInPlace({string.Join(", ", parameters)})");
                }

                foreach (CallbackModel callback in type.Callbacks)
                {
                    if (callback.Holder != holder || type.Callbacks.First(one => IsSameMethod(one, callback)) != callback) continue;
                    Method(source, "Method", callback.MetadataName, $"void {CallbackName(type, callback)}({(callback.DeclaredInStruct ? "ref " : "")}{callback.DeclaringType} target{(callback.Parameter is { } parameter ? $", {parameter} given" : "")})");
                }
            });
        }
    }

    public static string Get(TypeModel type, AccessorModel accessor, string byReference, string byValue)
    {
        string target = accessor.DeclaredInStruct ? byReference : byValue;
        return accessor.Kind == AccessorKind.Field ? $"{Holder(type, accessor.Holder)}.Field_{accessor.MetadataName}({target})" : $"{Holder(type, accessor.Holder)}.Get_{accessor.MetadataName}({target})";
    }

    /// <summary>Sets a member. Behind a constructor that took the value, what the constructor made of it stays where the setter or field that was looked for is not there.</summary>
    /// <param name="type">The type.</param>
    /// <param name="member">Of it; it has an accessor.</param>
    /// <param name="byReference">What the accessor is given where a struct declares it.</param>
    /// <param name="byValue">What it is given else.</param>
    /// <param name="value">What is set.</param>
    public static string Set(TypeModel type, MemberModel member, string byReference, string byValue, string value)
    {
        AccessorModel accessor = member.Accessor!;
        string target = accessor.DeclaredInStruct ? byReference : byValue, holder = Holder(type, accessor.Holder);
        if (accessor.Kind == AccessorKind.Field) return $"{holder}.Field_{accessor.MetadataName}({target}) = {value};";
        string bySetter = $"{holder}.Set_{accessor.MetadataName}({target}, {value});", byField = $"{holder}.Backing_{accessor.MetadataName}({target}) = {value};";
        if (accessor.Backing is null) return member is { LooksIn: not null, Set: MemberSet.ConstructorAndAccessor } ? IfHasSetter(accessor) + bySetter : bySetter;
        if (member.LooksForField) byField = $"if ({HasField(accessor)}) {byField}";
        return accessor.Set ? $"{IfHasSetter(accessor)}{bySetter} else {byField}" : byField;
    }

    /// <summary>Sets a member of the object that a local variable holds: by name, or as <see cref="Set"/> does where it has to be an accessor.</summary>
    public static string Assign(TypeModel type, MemberModel member, string local, string value) =>
        member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor ? Set(type, member, "ref " + local, local, value) : $"{local}.{member.Name} = {value};";

    private static string IfHasSetter(AccessorModel accessor) => $"if ({HasSetter(accessor)}) ";

    /// <summary>The field that tells whether a property has the setter that generated code looked for.</summary>
    public static string HasSetter(AccessorModel accessor) => "HasSetter_" + accessor.MetadataName;

    /// <summary>As <see cref="HasSetter"/>, the field of the property.</summary>
    public static string HasField(AccessorModel accessor) => "HasField_" + accessor.MetadataName;

    public static string Create(TypeModel type) => Holder(type, type.Construction.Accessor!.Holder) + ".Create";

    public static string CreateInPlace(TypeModel type) => Holder(type, type.Construction.InPlace!.Accessor.Holder) + ".CreateInPlace";

    /// <summary>Calls the callbacks of a time on the object that a local variable holds.</summary>
    /// <param name="source">The file.</param>
    /// <param name="type">The type.</param>
    /// <param name="time">Which of them.</param>
    /// <param name="local">The variable.</param>
    /// <param name="hasWriter">A writer is at hand that tells whether the object was asked for.</param>
    public static void Call(SourceWriter source, TypeModel type, CallbackTime time, string local, bool hasWriter = false)
    {
        foreach (CallbackModel callback in type.Callbacks)
        {
            if (callback.Time != time) continue;
            // No object is read that nobody asked for.
            string condition = time is CallbackTime.Serializing or CallbackTime.Serialized ? $"if ({Names.Generated}.{(hasWriter ? "CallsBackFrom(ref writer)" : "CallsBack")}) " : "";
            string given = callback.Parameter is { } parameter ? $"default({parameter})" : "";
            source.Line(condition + HiddenCallbackEmitter.Unless(type, callback) + (callback.Hidden is not null ? $"{HiddenCallbackEmitter.Field(type, callback)}.{time}({local});"
                : callback.Holder is { } holder ? $"{Holder(type, holder)}.{CallbackName(type, callback)}({(callback.DeclaredInStruct ? "ref " : "")}{local}{(given.Length > 0 ? ", " + given : "")});"
                : callback.DeclaredInStruct ? $"{local}.{callback.Name}({given});"
                : $"(({callback.DeclaringType}){local}).{callback.Name}({given});"));
        }
    }

    // A method marked for two times is one.
    private static bool IsSameMethod(CallbackModel one, CallbackModel other) => one.Holder == other.Holder && one.MetadataName == other.MetadataName && one.DeclaringType == other.DeclaringType && one.Parameter == other.Parameter;

    /// <summary>A base and what is derived from it may each have a method of that name, in one holder.</summary>
    private static string CallbackName(TypeModel type, CallbackModel callback)
    {
        List<string> levels = [.. type.Callbacks.Where(other => other.Holder == callback.Holder && other.MetadataName == callback.MetadataName).Select(static other => other.DeclaringType).Distinct()];
        int level = levels.IndexOf(callback.DeclaringType);
        return $"Call{(level == 0 ? "" : level.ToString(System.Globalization.CultureInfo.InvariantCulture))}_{callback.MetadataName}";
    }

    private static void EmitMember(SourceWriter source, AccessorModel accessor)
    {
        string target = (accessor.DeclaredInStruct ? "ref " : "") + accessor.DeclaringType + " target";
        string name = accessor.MetadataName;
        if (accessor.Kind == AccessorKind.Field)
        {
            Method(source, "Field", name, $"ref {accessor.MemberType} Field_{name}({target})");
            return;
        }

        if (accessor.Get) Method(source, "Method", "get_" + name, $"{accessor.MemberType} Get_{name}({target})");
        if (accessor.Backing is not null) Method(source, "Field", accessor.Backing, $"ref {accessor.MemberType} Backing_{name}({target})");
        if (accessor.Set) Method(source, "Method", "set_" + name, $"void Set_{name}({target}, {accessor.MemberType} value)");
    }

    private static void Method(SourceWriter source, string kind, string? name, string signature)
    {
        source.Line($"[global::System.Runtime.CompilerServices.UnsafeAccessor({Kind}{kind}{(name is null ? "" : $", Name = {Names.Literal(name)}")})]");
        source.Line($"public static extern {signature};");
    }

    private static string Holder(TypeModel type, AccessorHolder holder) => $"Accessors{Holders(type).TakeWhile(one => one != holder).Count()}{holder.Arguments}";

    // One after the other: mostly the first is asked for, of a type that may have a thousand members.
    private static IEnumerable<AccessorHolder> Holders(TypeModel type)
    {
        IEnumerable<AccessorHolder> holders = type.Members.Where(static member => member.Accessor is not null).Select(static member => member.Accessor!.Holder);
        if (type.Construction.Accessor is { } constructor) holders = holders.Append(constructor.Holder);
        if (type.Construction.InPlace is { } inPlace) holders = holders.Append(inPlace.Accessor.Holder);
        holders = holders.Concat(type.Callbacks.Where(static callback => callback.Holder is not null).Select(static callback => callback.Holder!));
        return holders.Distinct();
    }
}
