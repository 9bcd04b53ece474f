using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>A <c>BindingList</c> cannot be made by a trimmed program without a warning, so it is none of the library's types; a class that a program derives from it is one of its own, and stored as its elements.</summary>
public sealed class BindingListTests
{
    [Fact]
    public void AClassDerivedFromItIsStoredAsItsElementsAndTellsOfChangesWhenItWasRead() => Programs.Run("""
        using System.ComponentModel;
        [NinoType] public sealed class Item : INotifyPropertyChanged
        {
            public event PropertyChangedEventHandler? PropertyChanged;
            public int Id { get; set; }
            public string? Name { get => field; set { field = value; PropertyChanged?.Invoke(this, new(nameof(Name))); } }
        }
        public sealed class Items : BindingList<Item>;
        public sealed class Fixed : BindingList<int> { public Fixed() => AllowEdit = false; }
        [NinoType] public sealed class Form { public Items? Items { get; set; } public Items Shown { get; } = []; public Fixed? Fixed { get; set; } }
        [NinoType, NinoFormerName("Form")] public sealed class Plain { public List<Item>? Items { get; set; } public Item[]? Shown { get; set; } public List<int>? Fixed { get; set; } }
        """, """
        var form = new Form { Items = [new() { Id = 1, Name = "a" }, new() { Id = 2 }], Fixed = [3] };
        form.Shown.Add(new() { Id = 4 });
        int told = 0;
        form.Items.ListChanged += (_, _) => told++;
        Form copy = Copy(form);
        Equal(0, told);
        Equal((2, 1, "a", 1, 4), (copy.Items!.Count, copy.Items[0].Id, copy.Items[0].Name, copy.Shown.Count, copy.Shown[0].Id));
        // What a new one is set to.
        Equal((false, true, true), (copy.Fixed!.AllowEdit, copy.Items.AllowEdit, copy.Items.RaiseListChangedEvents));
        copy.Items.ListChanged += (_, change) => { if (change.ListChangedType == ListChangedType.ItemChanged && change.NewIndex == 1) told++; };
        copy.Items[1].Name = "b";
        copy.Items.Add(new());
        Equal(1, told);
        Plain plain = Evolve<Form, Plain>(form);
        Equal((2, 4, 3), (plain.Items!.Count, plain.Shown![0].Id, plain.Fixed![0]));
        """);

    [Fact]
    public void ItselfItIsAnErrorThatSaysWhatToDo()
    {
        var diagnostic = Assert.Single(GeneratorHarness.Diagnose("[NinoType] public sealed class A { public System.ComponentModel.BindingList<int>? X { get; set; } }"));
        Assert.Equal("NINO002", diagnostic.Id);
        Assert.Contains("derive a class of yours from it, which is told and is stored as its elements, or store an ObservableCollection<T> or List<T>", diagnostic.GetMessage(), StringComparison.Ordinal);
    }
}
