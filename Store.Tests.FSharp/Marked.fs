// F# code that references the engine for its attributes. The codecs are generated in the C# project that uses the types.
namespace Shop.FSharp.Marked

open Store.Serialization

[<NinoType(Name = "shop.event", SkipUnknownCases = true)>]
type Event =
    | Opened of at: int64
    | [<NinoFormerName("Shut")>] Closed of at: int64 * reason: string

[<NinoType(Name = "shop.ticket")>]
type Ticket =
    { [<NinoMember(1)>] Id: int
      [<NinoMember(2); NinoFormerName("Happened")>] History: Event list }
