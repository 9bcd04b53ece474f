// One model in two shapes, as it was and as it is: what an older file holds and the program that reads it.
namespace Shop.FSharp.V1

type Kind =
    | Small
    | Large of size: int
    | Gone of string

type Item = { Name: string; Kind: Kind; Count: int; Note: string }

type Basket = { Items: Item list }

type Step =
    | Wait of int
    | Turn of int * string
    | Walk of int
    | Stop of int * int

type Ticket = Ticket of int

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

/// Fields that had no name have one, a neighbour more, or one less.
[<NinoFormerName("Shop.FSharp.V1.Step")>]
type Step =
    | Wait of int * note: string
    | Turn of int
    | Walk of metres: int64
    | Stop of second: int * Item1: int

[<NinoFormerName("Shop.FSharp.V1.Ticket")>]
type Ticket = Ticket of number: int
