namespace Store.Tests.Generator.RandomModels.Marks;

/// <summary>The ways of a serializer in which the types of a program are marked.</summary>
internal enum PeerStyle
{
    /// <summary>MemoryPack: by place.</summary>
    Places,

    /// <summary>MemoryPack: each member has an order.</summary>
    VersionTolerant,

    /// <summary>MemoryPack: and objects keep their identity.</summary>
    CircularReference,

    /// <summary>MessagePack: keys are numbers.</summary>
    NumberKeys,

    /// <summary>MessagePack: and members that are not public have one, too, or are left out.</summary>
    AllNumberKeys,

    /// <summary>MessagePack: keys are texts.</summary>
    TextKeys,

    /// <summary>MessagePack: keys are the names of the members.</summary>
    Names,

    /// <summary>MessagePack: and members that are not public have one, too.</summary>
    AllNames,

    /// <summary>protobuf-net: each member has a number.</summary>
    Members,

    /// <summary>protobuf-net: public members have one.</summary>
    AllPublic,

    /// <summary>protobuf-net: fields have one.</summary>
    AllFields,

    /// <summary>protobuf-net: the numbers are those of DataContract.</summary>
    Contract,
}
