// The types of FlatRecordTests: fixed members and a few strings.

using Store.Serialization;

namespace Store.Tests.Serialization;

public sealed partial class FlatRecordTests
{
    [NinoType]
    public sealed partial record Pair(string? First, string? Second);

    [NinoType]
    [NinoFormerName("Store.Tests.Serialization.FlatRecordTests+OldPerson")]
    [NinoFormerName("Store.Tests.Serialization.FlatRecordTests+SmallPerson")]
    public class Person : IEquatable<Person>
    {
        [ThreadStatic]
        public static int Refusals;

        private int _id;

        public int Id
        {
            get => _id;
            set
            {
                if (value == 13)
                {
                    Refusals++;
                    throw new ArgumentOutOfRangeException(nameof(value));
                }

                _id = value;
            }
        }

        public bool IsOn { get; set; }

        public string? Name { get; set; }

        public string? Town { get; set; }

        public bool Equals(Person? other) => other is not null && (Id, IsOn, Name, Town) == (other.Id, other.IsOn, other.Name, other.Town);

        public override bool Equals(object? other) => Equals(other as Person);

        public override int GetHashCode() => Id;
    }

    public sealed class Employee : Person;

    [NinoType(View = false)]
    public sealed class OldPerson
    {
        public long Gone { get; set; }

        public bool IsOn { get; set; }

        public short Id { get; set; }

        public string? Name { get; set; }

        public string? Town { get; set; }
    }

    [NinoType(View = false)]
    public sealed class SmallPerson
    {
        public byte Id { get; set; }

        public string? Name { get; set; }

        public string? Town { get; set; }
    }

    [NinoType]
    public sealed class DeepNesting
    {
        private string? _inner;

        public List<int> Numbers { get; set; } = [];

        public string? Inner
        {
            get => _inner is null ? null : NinoSerializer.Deserialize<List<string>>(NinoSerializer.Serialize(new List<string> { _inner }))[0];
            set => _inner = value;
        }
    }

    [NinoType]
    public sealed class Restless
    {
        private string? _text;
        private int _asked;

        public int Number { get; set; }

        public string? Text
        {
            get => Answers is null ? _text : Answers[_asked++ % Answers.Length];
            set => _text = value;
        }

        [NinoIgnore] public string?[]? Answers { get; set; }
    }

    [NinoType]
    public sealed class Nesting
    {
        private string? _inner;

        public int Number { get; set; }

        public string? Inner
        {
            get => _inner is null ? null : NinoSerializer.Deserialize<Pair>(NinoSerializer.Serialize(new Pair(_inner, null))).First;
            set => _inner = value;
        }
    }

    [NinoType]
    public sealed class ManyTexts
    {
        public string? A { get; set; }
        public string? B { get; set; }
        public string? C { get; set; }
        public string? D { get; set; }
        public string? E { get; set; }
        public string? F { get; set; }
        public string? G { get; set; }
        public string? H { get; set; }
        public string? I { get; set; }
    }
}
