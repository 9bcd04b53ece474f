// Throwing lives here, out of line and named by cause, so that hot methods stay small. The offset and the member path are added by the
// serializer's top-level verbs, which know the schema and the whole input.

using System.Diagnostics.CodeAnalysis;

namespace Store.Serialization;

internal static class Throw
{
    [DoesNotReturn]
    public static void EndOfInput(long needed, int left)
    {
        if (needed < 0) NegativeSize(needed);
        throw new NinoSerializationException($"The record ends too early: {needed} more bytes are needed, {left} are left. It is truncated or damaged.");
    }

    [DoesNotReturn]
    public static void NotShortestForm() =>
        throw new NinoSerializationException("A length or count is not in its shortest form: the record is damaged or was not written by this engine.");

    [DoesNotReturn]
    public static void BadCompactMarker(byte marker) =>
        throw new NinoSerializationException($"A length or count starts with the byte {marker}, which no writer produces: the record is damaged.");

    [DoesNotReturn]
    public static void CountTooLarge(uint count, int minElementSize, int left) =>
        throw new NinoSerializationException($"A count of {count} elements of at least {minElementSize} bytes does not fit into the {left} bytes left: the record is damaged.");

    [DoesNotReturn]
    public static void TooDeepToRead(int maxDepth) =>
        throw new NinoSerializationException($"The record nests deeper than the limit of {maxDepth} objects. {(maxDepth < NinoLimits.DepthMax ? "Raise NinoLimits.MaxDepth if such records are expected; a store reads 1,000 levels whatever its options say." : "There is no higher limit.")}");

    [DoesNotReturn]
    public static void TooDeepToWrite(int maxDepth) =>
        throw new NinoSerializationException($"The value nests deeper than the limit of {maxDepth} objects: it may contain itself. {(maxDepth < NinoLimits.DepthMax ? "Raise NinoLimits.MaxDepth (of a store NinoStoreOptions.MaxDepth) if it is only deep." : "If it is only deep, store its objects in a list; there is no higher limit.")} Objects that refer back to each other need [NinoType(References = true)], or [assembly: NinoSerializable(typeof(...), References = true)] where you cannot change the type.");

    [DoesNotReturn]
    public static void RecordTooLarge(int maxBytes) => throw new NinoSerializationException(TooLarge(maxBytes)) { IsTooLarge = true };

    /// <summary>As <see cref="RecordTooLarge(int)"/>, where nobody outside knows whose record it is.</summary>
    [DoesNotReturn]
    public static void RecordTooLarge(int maxBytes, IHasSchema of) => throw new NinoSerializationException($"Record '{of.Schema.Name}': {TooLarge(maxBytes)}") { TypeName = of.Schema.Name, IsTooLarge = true };

    // No option raises what one array can hold.
    private static string TooLarge(int maxBytes) => maxBytes >= Array.MaxLength
        ? $"the record is larger than {Array.MaxLength} bytes, the most that one array can hold. Split the record."
        : $"the record is larger than the limit of {maxBytes} bytes. Raise NinoLimits.MaxRecordBytes or split the record.";

    public static NinoSerializationException GrownTooMuch(int stored, int most, int growth) =>
        new($"A record of {stored} bytes, written in another shape than the type has now, becomes longer than {most} bytes with what its objects lack: more than {growth} times its length. It was made to cost memory, or many small objects have gained much. Raise NinoLimits.MaxGrowth if such records are expected.") { IsUnfit = true };

    [DoesNotReturn]
    public static void TooMuchRoom(long most) =>
        throw new NinoSerializationException($"The record's large structs take more than {most} bytes of memory, though they are few bytes of the record: it was made to cost memory, or most of them are absent. Raise NinoLimits.MaxGrowth if such records are expected, or store objects of a class.");

    [DoesNotReturn]
    public static void TooManyKeyComparisons(long limit) =>
        throw new NinoSerializationException($"So many keys of the record's sets and dictionaries fall together by their hash codes, or are compared one by one (in the Data of an exception), or so many collections beside others without a setter that have elements in new objects, one inside of the other, that adding and comparing them takes more than the limit of {limit} comparisons: the record was made to cost time, or its keys have hash codes that are much alike. Raise NinoLimits.MaxKeyComparisons if such records are expected.");

    [DoesNotReturn]
    public static void DestinationTooSmall(int length, long needed) =>
        throw new NinoSerializationException($"The destination of {length} bytes is too small: at least {needed} are needed.");

    [DoesNotReturn]
    public static void BufferWriterTooShort(int asked, int got) =>
        throw new InvalidOperationException($"The buffer writer was asked for {asked} bytes and gave {got}: its GetSpan breaks the contract of IBufferWriter.");

    // Without how much room there was: what is written once more to find the member has another.
    [DoesNotReturn]
    public static void AdvancedTooFar(int size) =>
        throw new NinoSerializationException($"A codec moved its writer by {size} bytes, which it had not reserved: NinoWriter.Advance takes at most what Reserve was asked for.");

    [DoesNotReturn]
    public static void NegativeSize(long size) =>
        throw new NinoSerializationException($"A codec asked for {size} bytes: sizes are 0 or more.");

    [DoesNotReturn]
    public static void WroteOther(Type codec, long written, int least, int size) => throw new NinoSerializationException($"The codec '{codec}' " + written switch
    {
        NinoWriter.Exchanged => "wrote into another writer than it was given: nobody could read that.",
        NinoWriter.Restored => "went back to a copy of its writer that was made before the writer got more memory: what was written since is not taken back by that. Find out first what is to be written.",
        _ when size > 0 => $"wrote {written} bytes for a value of which it says that each takes {size}: nobody could read that.",
        _ => $"wrote fewer bytes than its MinSize, {least}: nobody could read that.",
    }) { BlamesCodec = true };

    [DoesNotReturn]
    public static void ReadOther(Type codec, int read, int least, int size) => throw new NinoSerializationException($"The codec '{codec}' " + read switch
    {
        < 0 => "read from another reader than it was given: nobody knows where to go on.",
        _ when size > 0 => $"read {read} bytes for a value of which it says that each takes {size}: nobody knows where to go on.",
        _ => $"read fewer bytes than its MinSize, {least}: nobody knows where to go on.",
    });

    [DoesNotReturn]
    public static void StreamBreaksContract(Stream stream, int asked, int got) =>
        throw new IOException($"The stream {stream.GetType().Name} breaks the contract of Stream: asked for at most {asked} bytes it says that it read {got}.");

    [DoesNotReturn]
    public static void TrailingBytes(int left) =>
        throw new NinoSerializationException($"{left} bytes are left after the record: it is damaged, or it was written with another schema.");

    [DoesNotReturn]
    public static void BadPresence(byte presence) =>
        throw new NinoSerializationException($"A presence byte is {presence} and must be 0 or 1: the record is damaged.");

    [DoesNotReturn]
    public static void BadAbsentValue(byte presence) =>
        throw new NinoSerializationException(presence > 1
            ? $"A presence byte is {presence} and must be 0 or 1: the record is damaged."
            : "The bytes of an absent value are not zero: the record is damaged.");

    [DoesNotReturn]
    public static void BadEmptyObject(byte value) =>
        throw new NinoSerializationException($"The one byte of an object without members is {value} and must be 0: the record is damaged.");

    [DoesNotReturn]
    public static void BadBoolean(byte value) =>
        throw new NinoSerializationException($"A boolean is {value} and must be 0 or 1: the record is damaged.");

    [DoesNotReturn]
    public static void BadDecimal(int flags) =>
        throw new NinoSerializationException($"A decimal has the flags 0x{flags:X8}, which no decimal has: the record is damaged.");

    [DoesNotReturn]
    public static void BadRune(uint value) =>
        throw new NinoSerializationException($"0x{value:X} is not a Unicode scalar value: the record is damaged.");

    [DoesNotReturn]
    public static void BadDateTime(ulong bits) =>
        throw new NinoSerializationException($"0x{bits:X16} is not a date and time: the record is damaged.");

    [DoesNotReturn]
    public static void BadDateTimeOffset(long ticks, short minutes) =>
        throw new NinoSerializationException($"{ticks} ticks at an offset of {minutes} minutes is not a date and time with offset: the record is damaged.");

    [DoesNotReturn]
    public static void BadDateOnly(int day) =>
        throw new NinoSerializationException($"{day} is not the number of a day: the record is damaged.");

    [DoesNotReturn]
    public static void BadTimeOnly(long ticks) =>
        throw new NinoSerializationException($"{ticks} ticks is not a time of day: the record is damaged.");

    [DoesNotReturn]
    public static void NotShortestString() =>
        throw new NinoSerializationException("A string is stored with two bytes a char although one byte a char would do: the record is damaged or was not written by this engine.");

    [DoesNotReturn]
    public static void StringTooLong(int length) =>
        throw new NinoSerializationException($"A string of {length} chars is longer than the runtime allows.");

    [DoesNotReturn]
    public static void Utf8StringTooLong(int length) =>
        throw new NinoSerializationException($"A string of {length} chars takes more than {int.MaxValue / 2} bytes in the form that [NinoUtf8] asks for: leave that out, or split the string.");

    [DoesNotReturn]
    public static void NoNullElement() =>
        throw new NinoSerializationException("A list is marked to hold null elements and holds none: the record is damaged or was not written by this engine.");

    [DoesNotReturn]
    public static void DuplicateElement(int index) =>
        throw new NinoSerializationException($"Element {index} of a set is equal to an earlier one. The record is damaged, or was written from a set with a comparer of its own, which records do not keep, or from elements of another shape that are equal as their type is now.");

    [DoesNotReturn]
    public static void DuplicateKey(int index) =>
        throw new NinoSerializationException($"Key {index} of a dictionary is equal to an earlier one. The record is damaged, or was written from a dictionary with a comparer of its own, which records do not keep, or from keys of another shape that are equal as their type is now.");

    [DoesNotReturn]
    public static void NullKey(int index) =>
        throw new NinoSerializationException($"Key {index} of a dictionary is null: the record is damaged, or the key was of a case that is gone and skipped.");

    [DoesNotReturn]
    public static void NullKeyToWrite() =>
        throw new NinoSerializationException("A dictionary has a null key, which has no encoding.");

    [DoesNotReturn]
    public static void EqualUnderTheDefaultComparer(string what) =>
        throw new NinoSerializationException($"Two {what} are equal under the default comparer and were kept apart by a comparer of their own, which records do not keep: they could not be read again. Store them as a list.");

    [DoesNotReturn]
    public static void BadComparer(byte number) =>
        throw new NinoSerializationException($"A set or map has the comparer number {number}, which this engine does not know: the record is damaged or was written by a newer engine.");

    [DoesNotReturn]
    public static void ComparerOfNull() =>
        throw new NinoSerializationException("A set or map that is null has a comparer: the record is damaged.");

    [DoesNotReturn]
    public static void ComparerOfOtherThanStrings() =>
        throw new NinoSerializationException("A set or map of other things than strings has a comparer of strings: the record is damaged.");

    [DoesNotReturn]
    public static void ComparerNotKept(Type type) =>
        throw new NinoSerializationException($"A '{type}' has the mark of a comparer, which none is written with: the record is damaged, or the member was of another type when it was written.");

    [DoesNotReturn]
    public static void OrderingComparer(Type comparer) =>
        throw new NinoSerializationException($"A collection is ordered by a '{comparer}', which records do not keep: read again it would have another order. Kept are the default comparer of the type and StringComparer.Ordinal, OrdinalIgnoreCase, InvariantCulture and InvariantCultureIgnoreCase; for others give the member a codec of its own with [NinoCodec].");

    [DoesNotReturn]
    public static void UnknownComparer(Type comparer) =>
        throw new NinoSerializationException($"The comparer '{comparer}' has no encoding. Kept are StringComparer.Ordinal, OrdinalIgnoreCase, InvariantCulture and InvariantCultureIgnoreCase, and of IEqualityComparer<string> and IComparer<string> the default one of strings; for others give the member a codec of its own with [NinoCodec], or leave it out with [NinoIgnore].");

    [DoesNotReturn]
    public static void ChangedWhileWritten() => throw new InvalidOperationException("A collection was changed while it was written, by code that ran for what is in it (a getter, a callback, a codec) or by another thread.");

    [DoesNotReturn]
    public static void ChangedWhileFilled(Type type) => throw new NinoSerializationException($"Code of what is stored in a '{type}' changed it while it was read into: a constructor, setter or callback.");

    [DoesNotReturn]
    public static void NegativeCount(int count) => throw new NinoSerializationException($"The collection says that it has {count} elements.");

    [DoesNotReturn]
    public static void OtherOrder(Type type, int index) =>
        throw new NinoSerializationException($"The keys {index - 1} and {index} of a '{type}' are not in the order of the default comparer, which is the only one that it is read again with: give the member a codec of its own with [NinoCodec], or store a Dictionary.");

    [DoesNotReturn]
    public static void EqualElements(int count) =>
        throw new NinoSerializationException($"{count} elements of a set are equal to others under its comparer. The record is damaged, or it was written from a set with a comparer of its own, which records do not keep.");

    [DoesNotReturn]
    public static void EqualKeys(int count) =>
        throw new NinoSerializationException($"{count} keys of a dictionary are equal to others under its comparer. The record is damaged, or it was written from a dictionary with a comparer of its own, which records do not keep.");

    [DoesNotReturn]
    public static void OwnCollectionLoses(Type type, int count, int kept) =>
        throw new NinoSerializationException($"A '{type}' has {count} elements, and {kept} once they are added to a new one: they could not be read again. Its parameterless constructor gives it another comparer, or elements of its own. Give it a codec of its own with [NinoCodec], or store a collection of the framework.");

    [DoesNotReturn]
    public static void OwnCollectionReorders(Type type, int index) =>
        throw new NinoSerializationException($"A '{type}' has another element {index} once its elements are added to a new one in their order: it could not be read as it is. Its Add puts them elsewhere than at the end, or makes something else of them. Give it a codec of its own with [NinoCodec], or store a collection of the framework.");

    public static void OwnCollectionChanges(Type type) =>
        throw new NinoSerializationException($"A '{type}' has other elements than those that were added to it, so it could not be what it was: its Add makes something else of them. Give it a codec of its own with [NinoCodec], or store a collection of the framework.");

    public static NinoSerializationException RefusedByAdd(Type type, int index, Exception error) =>
        new($"Element {index} was refused by the Add of a new '{type}': {error.Message} The record is damaged, or it was written from one with another comparer.", error);

    public static NinoSerializationException CannotBeEmptied(Type type, Exception error) =>
        new($"A '{type}' holds an object inside of which it is read, so it is filled once more when that has its members, and it refused to be emptied for that: {error.Message} Let its Clear empty it, begin such records at the object that has the collection, or hold a List<T>.", error);

    [DoesNotReturn]
    public static void NullOf(Type type) =>
        throw new NinoSerializationException($"A value of '{type}' is null, which it cannot be: the record is damaged, or it was written from a type that can.");

    [DoesNotReturn]
    public static void NullInOption(Type type) =>
        throw new NinoSerializationException($"An option of '{type}' holds null, which could not be told from an option without a value: use None (ValueNone) for it.");

    [DoesNotReturn]
    public static void BadText(Type type, string text) =>
        throw new NinoSerializationException($"'{(text.Length <= 64 ? text : text[..64] + "...")}' is not the text of a '{type}', or not in its normal form, or this machine does not know it: the record is damaged or comes from another system.");

    [DoesNotReturn]
    public static void UnknownType(string name, string assembly, string known) =>
        throw new NinoSerializationException($"'{(name.Length <= 256 ? name : name[..256] + "...")}' is none of the types that the assembly '{assembly}' knows ({known}): the record was written by a program that knows it, or is damaged. Register it into '{assembly}', put [NinoFormerName] with that name on a type that was renamed, or have null for it with [assembly: NinoSerializable(typeof(object), SkipUnknownCases = true)].");

    [DoesNotReturn]
    public static void UnknownTimeZone(string id) =>
        throw new NinoSerializationException($"This machine knows no time zone '{id}': the record comes from a machine with other time zone data, or is damaged. Install the time zone data of the system (tzdata; for names of Windows also ICU), newer than that of the writer.");

    [DoesNotReturn]
    public static void TimeZoneNotKept(string id, bool isKnown) =>
        throw new NinoSerializationException($"The time zone '{id}' has rules that its text does not keep, and {(isKnown ? "this machine's zone of that Id has others" : "is no zone that this machine knows by its Id")}. Store its Id, or take the zone anew from TimeZoneInfo.FindSystemTimeZoneById.");

    [DoesNotReturn]
    public static void BadUtf8() =>
        throw new NinoSerializationException("A string is not valid UTF-8: the record is damaged.");

    [DoesNotReturn]
    public static void TooWideForThisProcess(string value) =>
        throw new NinoSerializationException($"{value} does not fit into a native integer of this process.");

    [DoesNotReturn]
    public static void BadIndex(int value) =>
        throw new NinoSerializationException($"An index is {value} and cannot be negative: the record is damaged.");

    [DoesNotReturn]
    public static void BigIntegerTooLong(long bytes) =>
        throw new NinoSerializationException($"An integer of {bytes} bytes is longer or shorter than there can be.");

    [DoesNotReturn]
    public static void LowerBound(Type type) =>
        throw new NinoSerializationException($"An array of type '{type}' does not count from 0 in every dimension and has no encoding. Copy it into one that does.");

    [DoesNotReturn]
    public static void BadRank(int found, int rank) =>
        throw new NinoSerializationException($"An array has {found} lengths and must have {rank}: the record is damaged.");

    [DoesNotReturn]
    public static void BadLength(int length) =>
        throw new NinoSerializationException($"The length of a dimension is {length}: the record is damaged.");

    [DoesNotReturn]
    public static void GridTooLarge() =>
        throw new NinoSerializationException("The lengths of an array make more elements than an array can have.");

    [DoesNotReturn]
    public static void BadGrid(int found, long expected) =>
        throw new NinoSerializationException($"An array has {found} elements and its lengths make {expected}: the record is damaged.");

    [DoesNotReturn]
    public static void BadInlineArray(int found, int expected) =>
        throw new NinoSerializationException($"An inline array {(found < 0 ? "is null" : $"has {found} elements")} and must have {expected}: the record is damaged, or the type changed its length.");

    [DoesNotReturn]
    public static void BadBits(int length, int bytes) =>
        throw new NinoSerializationException($"{bytes} bytes are not {length} bits: the record is damaged.");

    [DoesNotReturn]
    public static void NoValues(int index) =>
        throw new NinoSerializationException($"Name {index} has an empty list of values, which no writer produces: the record is damaged.");

    public static NinoSerializationException NoTextOfAnException(string field) =>
        new($"The {field} of an exception is null, which no writer produces: the record is damaged.");

    [DoesNotReturn]
    public static void BadCauses() =>
        throw new NinoSerializationException("What caused an exception is null or an empty list, which no writer produces: the record is damaged.");

    public static NinoSerializationException BadData(string problem) =>
        new($"The Data of an exception {problem}, which no writer produces: the record is damaged.");

    [DoesNotReturn]
    public static void SameTextOfKeys(string name) =>
        throw new NinoSerializationException($"The Data of an exception has two keys whose text is '{name}', and keys are stored as texts.");

    public static NinoSerializationException NullValue(int index) =>
        new($"Name {index} has a value that is null, which no writer produces: the record is damaged.");

    [DoesNotReturn]
    public static void StackTooShort() =>
        throw new NinoSerializationException("The record nests deeper than the stack of this thread allows. Lower NinoLimits.MaxDepth or use a thread with a larger stack.");

    [DoesNotReturn]
    public static void NullRecordToWrite<T>(string parameter) => throw new ArgumentNullException(parameter, $"A record of type '{typeof(T)}' cannot be null.");

    [DoesNotReturn]
    public static void UnknownReference(uint number, int known) =>
        throw new NinoSerializationException($"The record refers to its object number {number}, and {known} were met before: the record is damaged.");

    [DoesNotReturn]
    public static void NoReferences() =>
        throw new NinoSerializationException("A codec asked for the number of an object in a record in which none has one: WriteReference gives it on writing, AddReference on reading.");

    [DoesNotReturn]
    public static void NotAdded(int number, int known) =>
        throw new NinoSerializationException($"A codec spoke of the object number {number} of a record in which {known} have one: a number is what LastReference tells on writing, and AddReference on reading.");

    [DoesNotReturn]
    public static void UnfinishedReference(int number) =>
        throw new NinoSerializationException($"The record refers to its object number {number}, which is not made before this member is read: the record is damaged, or a factory method makes the object and a constructor did when the record was written.");

    [DoesNotReturn]
    public static void CycleThroughFactory(Type type) =>
        throw new NinoSerializationException($"An object of type '{type}' is met again inside of what its factory method takes: it could not be read. Mark a constructor with [NinoConstructor] instead, which can run on an object that others refer to already, or let the member be set after the factory method, by a setter, and declare it after those that the method takes.");

    [DoesNotReturn]
    public static void ReferenceOfAnotherType(string actual, string expected) =>
        throw new NinoSerializationException($"The record refers to an object of '{actual}' where '{expected}' is declared: the record is damaged.");

    [DoesNotReturn]
    public static void ReferencesInSkippable(Type type) =>
        throw new NinoSerializationException($"'{type}' is a case that unknowing readers skip, and holds objects to which references are kept: they would lose count of them. Take SkipUnknownCases from the base or References from the type inside.");

    [DoesNotReturn]
    public static void LoopingKey(Type type) =>
        throw new NinoSerializationException($"An object of '{type}' is a key, an element of a set or a part of one, declared as 'object', and holds objects to which references are kept and which may lead back to themselves: code of theirs that finds or orders it could be sent around without end. Declare the type of the keys and of their parts, or use keys without references.");

    [DoesNotReturn]
    public static void NullCase() =>
        throw new NinoSerializationException("A case of a polymorphic value is null: the record is damaged.");

    [DoesNotReturn]
    public static void EmptyCase() =>
        throw new NinoSerializationException("The stored length of a case is 0, and every object takes a byte at least: the record is damaged.");

    [DoesNotReturn]
    public static void BadCaseLength(int left) =>
        throw new NinoSerializationException(left > 0
            ? $"A case of a polymorphic value is {left} bytes shorter than its stored length: the record is damaged, or the case was changed since."
            : $"A case of a polymorphic value is {-left} bytes longer than its stored length: the record is damaged, or the case was changed since.");

    [DoesNotReturn]
    public static void UnknownTag(string name, string tag, string known) =>
        throw new NinoSerializationException($"A value of '{name}' has the tag {tag}, which none of its known cases has ({known}): the record is damaged, or was written by a program that knows more cases.");

    [DoesNotReturn]
    public static void NullRecord(Type type) => throw new NinoSerializationException(
        type == typeof(object) || Attribute.GetCustomAttribute(type, typeof(NinoTypeAttribute), inherit: false) is NinoTypeAttribute { SkipUnknownCases: true }
            ? $"A record of type '{type}' is of a case that this program does not know: unknown cases are skipped inside of records, and a record of its own cannot be null. Or it is null, and damaged."
            : $"A record of type '{type}' is null: it is damaged.");
}
