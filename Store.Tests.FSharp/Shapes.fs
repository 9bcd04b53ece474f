// One model in two shapes, as it was and as it is: what an older file holds and the program that reads it.
namespace Shop.FSharp.V1

type Kind =
    | Small
    | Large of size: int
    | Gone of string

type Item = { Name: string; Kind: Kind; Count: int; Note: string }

type Basket = { Items: Item list }

namespace Shop.FSharp.V2

open Store.Serialization

/// Cases added and in another order, a field of a case wider.
[<NinoFormerName("Shop.FSharp.V1.Kind")>]
type Kind =
    | Huge of size: int64 * note: string
    | Large of size: int64
    | Small

[<NinoFormerName("Shop.FSharp.V1.Item")>]
type Item =
    { Count: int64
      Kind: Kind
      Name: string
      Note: string option
      Price: decimal option
      Tags: string list
      Prices: Map<string, decimal>
      Flags: Set<int> }

[<NinoFormerName("Shop.FSharp.V1.Basket")>]
type Basket = { Items: Item array }
