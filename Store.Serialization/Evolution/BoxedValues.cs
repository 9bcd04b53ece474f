using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>What stands for an object and is none (a number, an enum, a collection) lies in an object of one field: a box (<see cref="ObjectCase"/>).</summary>
internal static class BoxedValues
{
    /// <summary>One of the two is a box and no member of the one is a member of the other: all that is stored would be left out. A struct whose only member is called as a box's looks like one.</summary>
    public static bool AreLost(ObjectDefinition stored, ObjectDefinition own) =>
        (IsBox(stored) || IsBox(own)) && stored.Fields.Count > 0 && !own.Fields.Any(now => stored.Fields.Any(was => was.Name == now.Name || now.FormerNames.Contains(was.Name)));

    private static bool IsBox(ObjectDefinition type) => !type.IsReference && type.Fields is [{ Name: ObjectCase.BoxedField, Id: 0 }];
}
