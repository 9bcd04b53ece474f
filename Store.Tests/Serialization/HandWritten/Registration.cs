using System.Runtime.CompilerServices;
using Store.Serialization;

namespace Store.Tests.Serialization.HandWritten;

/// <summary>What the generator emits once an assembly.</summary>
internal static class Registration
{
    [ModuleInitializer]
    internal static void Register()
    {
        NinoRegistry.Register<Quote, QuoteCodec>();
        NinoRegistry.Register<Point, PointCodec>();
        NinoRegistry.Register<Label, LabelCodec>();
        NinoRegistry.Register<Node, NodeCodec>();
        NinoRegistry.Register<Nothing, NothingCodec>();
        NinoRegistry.Register<Side, Store.Serialization.Codecs.EnumCodec<Side>>();
    }
}
