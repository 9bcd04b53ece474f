// Golden bytes of the options and collections of F#, with the forms that are generated for this assembly. Part of the table that Samples.cs joins.

using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Store.Serialization.Codecs;
using Store.Serialization.Generated;
using Store.Tests.Serialization;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.FSharp;

#nullable disable // codecs do not distinguish string from string?

public static class FSharpSamples
{
    public static IReadOnlyList<Sample> All { get; } =
    [
        // Of a value type: as T?.
        new Sample<FSharpOption<int>, ValueOptionCodec<FSharpOption<int>, int, Int32Codec, FSharpOptionForm<int>>>("option of a number", Some(7), "01 07000000", AreEqual),
        new Sample<FSharpOption<int>[], ArrayCodec<FSharpOption<int>, ValueOptionCodec<FSharpOption<int>, int, Int32Codec, FSharpOptionForm<int>>>>("options of numbers", [null, Some(7)], "03 0000000000 0107000000", Same),
        new Sample<FSharpValueOption<int>, ValueOptionCodec<FSharpValueOption<int>, int, Int32Codec, FSharpValueOptionForm<int>>>("value option, none", default, "00 00000000", AreEqual),
        new Sample<FSharpValueOption<Label>, ValueOptionCodec<FSharpValueOption<Label>, Label, LabelCodec, FSharpValueOptionForm<Label>>>("value option of a struct of variable width, none", default, "00", AreEqual),
        new Sample<FSharpValueOption<Label>, ValueOptionCodec<FSharpValueOption<Label>, Label, LabelCodec, FSharpValueOptionForm<Label>>>("value option of a struct of variable width", VSome(new Label(1, "a")), "01 01000000 0361", AreEqual),

        // Of a reference type: the value, whose null is none.
        new Sample<FSharpOption<string>, ObjectOptionCodec<FSharpOption<string>, string, StringCodec, FSharpOptionForm<string>>>("option of a string", Some("a"), "0361", AreEqual),
        new Sample<FSharpOption<string>[], ArrayCodec<FSharpOption<string>, ObjectOptionCodec<FSharpOption<string>, string, StringCodec, FSharpOptionForm<string>>>>("options of strings", [null, Some("")], "03 00 01", Same),
        new Sample<FSharpValueOption<string>, ObjectOptionCodec<FSharpValueOption<string>, string, StringCodec, FSharpValueOptionForm<string>>>("value option of a string, none", default, "00", AreEqual),
        new Sample<FSharpOption<Nothing>[], ArrayCodec<FSharpOption<Nothing>, ObjectOptionCodec<FSharpOption<Nothing>, Nothing, NothingCodec, FSharpOptionForm<Nothing>>>>("options of a class, one is none", [null, Some(new Nothing())], "06 00 0100", static (a, b) => b[0] is null && b[1].Value is not null),
        new Sample<FSharpOption<Nothing>[], ArrayCodec<FSharpOption<Nothing>, ObjectOptionCodec<FSharpOption<Nothing>, Nothing, NothingCodec, FSharpOptionForm<Nothing>>>>("options of a class, none is none", [Some(new Nothing()), Some(new Nothing())], "05 00 00", static (a, b) => b.All(static one => one.Value is not null)),
        new Sample<FSharpOption<Figure>[], ArrayCodec<FSharpOption<Figure>, ObjectOptionCodec<FSharpOption<Figure>, Figure, FigureUnion, FSharpOptionForm<Figure>>>>("options of a base", [null, Some<Figure>(new Dot { X = 7 })], "03 00000000 7E5620B5 07000000", static (a, b) => b[0] is null && b[1].Value is Dot { X: 7 }),
        // A list would ask an option that is a struct for null.
        new Sample<FSharpValueOption<Nothing>[], ArrayCodec<FSharpValueOption<Nothing>, ObjectOptionCodec<FSharpValueOption<Nothing>, Nothing, NothingCodec, FSharpValueOptionForm<Nothing>>>>("value options of a class", [default, VSome(new Nothing())], "03 00 01 0100", static (a, b) => b[0].IsNone && b[1].Value is not null),

        // Of what has a null of its own: boxed.
        new Sample<FSharpOption<FSharpOption<int>>[], ArrayCodec<FSharpOption<FSharpOption<int>>, BoxedOptionCodec<FSharpOption<FSharpOption<int>>, FSharpOption<int>, ValueOptionCodec<FSharpOption<int>, int, Int32Codec, FSharpOptionForm<int>>, FSharpOptionForm<FSharpOption<int>>>>>(
            "options of options", [null, Some<FSharpOption<int>>(null), Some(Some(7))], "04 00 0000000000 01 0000000000 01 0107000000", Same),
        new Sample<FSharpValueOption<FSharpOption<string>>[], ArrayCodec<FSharpValueOption<FSharpOption<string>>, BoxedOptionCodec<FSharpValueOption<FSharpOption<string>>, FSharpOption<string>, ObjectOptionCodec<FSharpOption<string>, string, StringCodec, FSharpOptionForm<string>>, FSharpValueOptionForm<FSharpOption<string>>>>>(
            "value options of options of variable width", [default, VSome<FSharpOption<string>>(null), VSome(Some("a"))], "04 00 01 00 01 0361", Same),
        new Sample<FSharpOption<Unit>, BoxedOptionCodec<FSharpOption<Unit>, Unit, UnitCodec<Unit>, FSharpOptionForm<Unit>>>("option of unit", Some<Unit>(null), "01 00", static (_, b) => b.Value is null),
        new Sample<Unit[], ArrayCodec<Unit, UnitCodec<Unit>>>("unit[]", [null, null], "03 00 00", static (_, b) => b is [null, null]),

        new Sample<FSharpList<int>, SequenceCodec<FSharpList<int>, int, Int32Codec, FSharpListForm<int>>>("F# list", ListModule.OfArray([1, 2]), "03 01000000 02000000", AreEqual) { NullIsEmpty = true },
        new Sample<FSharpList<int>[], ArrayCodec<FSharpList<int>, SequenceCodec<FSharpList<int>, int, Int32Codec, FSharpListForm<int>>>>("F# lists, one is empty", [FSharpList<int>.Empty], "02 01", Same) { NullIsEmpty = true },
        new Sample<FSharpSet<int>, SequenceCodec<FSharpSet<int>, int, Int32Codec, FSharpSetForm<int>>>("F# set", new([2, 1]), "03 01000000 02000000", AreEqual) { Reorders = true, NullIsEmpty = true },
        new Sample<FSharpMap<int, string>, MapFormCodec<FSharpMap<int, string>, int, string, Int32Codec, StringCodec, FSharpMapForm<int, string>>>("F# map", new([Tuple.Create(2, (string)null), Tuple.Create(1, "a")]), "03 01000000 0361 02000000 00", AreEqual) { Reorders = true, NullIsEmpty = true },
    ];

    private static FSharpOption<T> Some<T>(T value) => FSharpOption<T>.Some(value);

    private static FSharpValueOption<T> VSome<T>(T value) => FSharpValueOption<T>.NewValueSome(value);

    private static bool AreEqual<T>(T a, T b) => EqualityComparer<T>.Default.Equals(a, b);

    private static bool Same<T>(T[] a, T[] b) => a.SequenceEqual(b);
}
