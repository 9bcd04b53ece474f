// How a member's type is put together, and how it is spelled. Everything is spelled from global:: on, so a program may declare types under any name.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>The type of a member, an element or a type argument in a random program.</summary>
internal abstract record TypeRef
{
    /// <summary>Spells the type.</summary>
    /// <param name="annotated">Nullable annotations are on in the program.</param>
    public abstract string Print(bool annotated);

    /// <summary>A struct or enum, so <c>?</c> makes another type of it.</summary>
    public abstract bool IsValue { get; }

    /// <summary>This type and all that it is made of.</summary>
    public virtual IEnumerable<TypeRef> Parts() => [this];

    /// <summary>The type with the arguments put in place of the parameters.</summary>
    public virtual TypeRef With(IReadOnlyList<TypeRef> arguments) => this;

    /// <summary>A type of the framework without type arguments.</summary>
    public sealed record Scalar(FrameworkScalar Kind) : TypeRef
    {
        public override bool IsValue => Kind.IsValue;

        public override string Print(bool annotated) => Kind.Name;
    }

    /// <summary>A <c>T?</c>.</summary>
    public sealed record Maybe(TypeRef Inner) : TypeRef
    {
        public override bool IsValue => Inner.IsValue;

        public override string Print(bool annotated) => Inner.Print(annotated) + (IsShown(annotated) ? "?" : "");

        public override IEnumerable<TypeRef> Parts() => Inner.Parts().Prepend(this);

        public override TypeRef With(IReadOnlyList<TypeRef> arguments) => new Maybe(Inner.With(arguments));

        public bool IsShown(bool annotated) => annotated || Inner.IsValue;
    }

    /// <summary>An array of any rank.</summary>
    public sealed record Array(TypeRef Element, int Rank) : TypeRef
    {
        public override bool IsValue => false;

        public override string Print(bool annotated)
        {
            // C# spells the outermost rank first, until a question mark stands between.
            string ranks = Ranks;
            TypeRef element = Element;
            while (true)
            {
                while (element is Maybe maybe && !maybe.IsShown(annotated)) element = maybe.Inner;
                if (element is not Array inner) return element.Print(annotated) + ranks;
                ranks += inner.Ranks;
                element = inner.Element;
            }
        }

        public override IEnumerable<TypeRef> Parts() => Element.Parts().Prepend(this);

        public override TypeRef With(IReadOnlyList<TypeRef> arguments) => this with { Element = Element.With(arguments) };

        private string Ranks => "[" + new string(',', Rank - 1) + "]";
    }

    /// <summary>A collection or other generic type of the framework.</summary>
    public sealed record Collection(FrameworkGeneric Kind, IReadOnlyList<TypeRef> Arguments) : TypeRef
    {
        public override bool IsValue => Kind.IsValue;

        public override string Print(bool annotated) => $"{Kind.Name}<{string.Join(", ", Arguments.Select(argument => argument.Print(annotated)))}>";

        public override IEnumerable<TypeRef> Parts() => Arguments.SelectMany(static argument => argument.Parts()).Prepend(this);

        public override TypeRef With(IReadOnlyList<TypeRef> arguments) => this with { Arguments = [.. Arguments.Select(argument => argument.With(arguments))] };
    }

    /// <summary>A tuple, with names for its parts or without.</summary>
    public sealed record Tuple(IReadOnlyList<TypeRef> Items, bool AreNamed) : TypeRef
    {
        public override bool IsValue => true;

        public override string Print(bool annotated) => $"({string.Join(", ", Items.Select((item, index) => item.Print(annotated) + (AreNamed ? $" Part{index}" : "")))})";

        public override IEnumerable<TypeRef> Parts() => Items.SelectMany(static item => item.Parts()).Prepend(this);

        public override TypeRef With(IReadOnlyList<TypeRef> arguments) => this with { Items = [.. Items.Select(item => item.With(arguments))] };
    }

    /// <summary>A type that the program declares.</summary>
    public sealed record Declared(TypeModel Type, IReadOnlyList<TypeRef> Arguments) : TypeRef
    {
        public override bool IsValue => Type.IsValue;

        public override string Print(bool annotated) => Type.FullName([.. Arguments.Select(argument => argument.Print(annotated))]);

        public override IEnumerable<TypeRef> Parts() => Arguments.SelectMany(static argument => argument.Parts()).Prepend(this);

        public override TypeRef With(IReadOnlyList<TypeRef> arguments) => Arguments.Count == 0 ? this : this with { Arguments = [.. Arguments.Select(argument => argument.With(arguments))] };
    }

    /// <summary>A type parameter of the generic type that declares the member.</summary>
    public sealed record Parameter(int Index, bool IsMarked) : TypeRef
    {
        public override bool IsValue => false;

        public override string Print(bool annotated) => TypeModel.ParameterNames[Index] + (annotated && IsMarked ? "?" : "");

        public override TypeRef With(IReadOnlyList<TypeRef> arguments) => IsMarked && arguments[Index] is { IsValue: false } and not (Maybe or Parameter) ? new Maybe(arguments[Index]) : arguments[Index];
    }
}
