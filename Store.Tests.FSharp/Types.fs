// Records, unions and collections as F# programs have them, without any attribute of the store.
namespace Shop.FSharp

open System.Runtime.Serialization

type Currency =
    | Eur
    | Usd
    | Gbp

/// No C# struct has such members, and no constructor of all of them but the compiler's.
[<Struct>]
type Money = { Amount: decimal; Currency: Currency }

[<Struct>]
type Point = { X: int; Y: int }

[<Struct>]
type CustomerId = CustomerId of int

type Email = Email of string

/// As DataContractSerializer takes records: F# puts the mark on the field, of which C# sees nothing.
[<DataContract>]
type Contracted =
    { [<field: DataMember(Name = "n")>] Number: int
      [<field: DataMember>] mutable Text: string
      [<DataMember(Name = "marked")>] mutable Marked: int
      [<IgnoreDataMember>] Left: int }

/// What is code is no state, marked or not.
[<DataContract; ReferenceEquality>]
type WithCode =
    { [<field: DataMember>] Kept: int
      Code: int -> int
      Calls: System.Func<int, int> }

type Payment =
    | Cash
    | Card of number: string * cvv: int
    | Transfer of string
    | Voucher of Money option

/// Fewer than four cases: F# tells them by class, not by number.
type Tree<'T> =
    | Leaf
    | Node of Tree<'T> * 'T * Tree<'T>

[<RequireQualifiedAccess>]
type Expr =
    | Const of float
    | Var of string
    | Add of left: Expr * right: Expr
    | Neg of Expr
    | Call of name: string * arguments: Expr list

[<Struct>]
type Shape =
    | Circle of radius: float
    | Named of name: string
    | Nothing

/// None of this union is null.
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.UseNullAsTrueValue)>]
type Maybe<'T> =
    | None
    | Some of 'T

type Customer =
    { Id: CustomerId
      Name: string
      Email: Email option
      Tags: string list
      Scores: Map<string, int>
      Seen: Set<int>
      Position: Point voption }

    // Computed: not stored, although C# could not tell.
    member this.Lengths = this.Tags |> List.map String.length
    member this.Best = if this.Scores.IsEmpty then 0 else this.Scores |> Map.values |> Seq.max

type Order =
    { Number: int64
      Buyer: Customer
      Paid: Payment list
      State: Result<decimal, string>
      Either: Choice<int, string, Currency>
      Formula: Expr
      Lines: (string * Money) array
      Shapes: Shape list
      Maybe: Maybe<int>
      Nothing: unit }

[<CLIMutable>]
type Row = { Key: string; Value: int option }

/// A class with a primary constructor.
type Person(name: string, age: int) =
    member _.Name = name
    member _.Age = age

/// Every form of an option.
type Options =
    { Int: int option
      Text: string option
      List: int list option
      Map: Map<int, string> option
      Record: Row option
      Union: Payment option
      StructUnion: Shape option
      NullUnion: Maybe<int> option
      Nested: int option option
      Unit: unit option
      Struct: Money option
      Point: Point option
      Nullable: System.Nullable<int> option
      VInt: int voption
      VText: string voption
      VRecord: Row voption
      VUnion: Payment voption
      VNested: int voption voption
      VPoint: Point voption
      Options: int option list
      Rows: Row option array
      VRows: Row voption array
      Points: Point option array }

/// A struct with options of fixed width: it is of fixed width itself.
[<Struct>]
type Fixed = { A: int option; B: int option option; C: Point voption; D: unit; E: Point option option }

type Cycle = { Next: Cycle option option; More: Cycle list; Value: int }

type Hidden =
    private
    | X
    | Y of int

/// C# sees two members that are called Tag.
[<RequireQualifiedAccess>]
type Label =
    | Tag of string
    | Blank

/// Fields of one name are one property, whatever their cases.
[<Struct>]
type Move<'T> =
    | Step of distance: int * unit: 'T
    | Jump of distance: int
    | Rest of unit: 'T
    | Stay

/// C# has no name for the type of a member.
type WithAnonymous = { Id: int; Size: {| Width: int |} list }

type ``Odd name`` =
    | No = 0
    | Yes = 1

type WithOddName = { Id: int; Odd: ``Odd name`` }

/// Names of members that C# cannot spell.
type WithOddField = { Id: int; ``first name``: string }

type WithOddProperty() =
    member val Id = 0 with get, set
    member val ``first name`` = "" with get, set

type WithOddGetter(id: int) =
    member val Id = id
    member val ``first name`` = System.Guid.NewGuid()

type WithOddValue =
    val mutable Id: int
    val mutable ``first name``: string
    new() = { Id = 0; ``first name`` = "" }

/// What leaves such a member out of a class that is [<Serializable>], as those of F# are, and what computes it.
type WithOddComputed() =
    member val Id = 0 with get, set
    [<System.Xml.Serialization.XmlIgnore>]
    member val ``first name`` = "" with get, set
    member this.``twice the id`` = this.Id * 2

[<RequireQualifiedAccess>]
type Mark =
    | Tag
    | Blank of int
    | Other

module Samples =
    let customer =
        { Id = CustomerId 7
          Name = "Ann"
          Email = Some(Email "ann@example.org")
          Tags = [ "a"; "b"; "a" ]
          Scores = Map [ "x", 1; "y", 2 ]
          Seen = set [ 3; 1; 2 ]
          Position = ValueSome { X = 1; Y = -2 } }

    let order =
        { Number = 42L
          Buyer = customer
          Paid = [ Cash; Card("4711", 123); Transfer "iban"; Voucher(Some { Amount = 1.5m; Currency = Usd }); Voucher None ]
          State = Error "late"
          Either = Choice3Of3 Gbp
          Formula = Expr.Add(Expr.Const 1.5, Expr.Call("f", [ Expr.Var "x"; Expr.Neg(Expr.Const 2.0) ]))
          Lines = [| "one", { Amount = 1m; Currency = Eur } |]
          Shapes = [ Circle 2.5; Named "n"; Nothing ]
          Maybe = Maybe.Some 3
          Nothing = () }

    let tree = Node(Node(Leaf, 1, Leaf), 2, Leaf)

    let none =
        { Int = None; Text = None; List = None; Map = None; Record = None; Union = None; StructUnion = None; NullUnion = None
          Nested = None; Unit = None; Struct = None; Point = None; Nullable = None
          VInt = ValueNone; VText = ValueNone; VRecord = ValueNone; VUnion = ValueNone; VNested = ValueNone; VPoint = ValueNone
          Options = []; Rows = [||]; VRows = [||]; Points = [||] }

    let row = { Key = "k"; Value = Some 5 }

    let some =
        { Int = Some 1; Text = Some ""; List = Some []; Map = Some(Map [ 1, "a" ]); Record = Some row; Union = Some Cash
          StructUnion = Some(Named "s"); NullUnion = Some Maybe.None; Nested = Some None; Unit = Some()
          Struct = Some { Amount = 2m; Currency = Gbp }; Point = Some { X = 1; Y = 2 }; Nullable = Some(System.Nullable())
          VInt = ValueSome 2; VText = ValueSome "t"; VRecord = ValueSome row; VUnion = ValueSome(Transfer "v")
          VNested = ValueSome(ValueSome 3); VPoint = ValueSome { X = 3; Y = 4 }
          Options = [ None; Some 1 ]; Rows = [| None; Some row |]; VRows = [| ValueNone; ValueSome row |]; Points = [| None; Some { X = 5; Y = 6 } |] }

    let full =
        { A = Some 1; B = Some(Some 2); C = ValueSome { X = 3; Y = 4 }; D = (); E = Some(Some { X = 5; Y = 6 }) }

    let rec deep n = if n = 0 then Expr.Const 0.0 else Expr.Neg(deep (n - 1))

    let cycle = { Next = Some(Some { Next = Some None; More = []; Value = 1 }); More = [ { Next = None; More = []; Value = 2 } ]; Value = 3 }

    let long = [ 1 .. 100_000 ]
