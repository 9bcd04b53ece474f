using System.Globalization;
using System.Numerics;
using System.Text;
using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store.Tests.Evolution;

/// <summary>A stored value cannot be what the program has now.</summary>
internal sealed class DoesNotFitException(string message) : Exception(message);

/// <summary>
/// What docs/evolution.md says a stored value becomes, value by value over decoded trees and as text: slow, without bytes, plans or copies. It shares
/// nothing with the engine but the matching of fields.
/// </summary>
internal static class MapModel
{
    /// <summary>The text of a value of the program's schema.</summary>
    public static string Text(NinoValue value, SchemaNode node)
    {
        node = ValueMap.Inner(node);
        if (value.IsNull) return "null";
        switch (node.Kind)
        {
            case SchemaKind.List:
                return $"[{string.Join(",", value.Items.Select(item => Text(item, node.Element!)))}]";
            case SchemaKind.Map:
                return $"{{{string.Join(",", value.Pairs.Select(pair => Text(pair.Key, node.Key!) + ":" + Text(pair.Value, node.Element!)))}}}";
            case SchemaKind.Object:
                return $"({string.Join(",", ((ObjectDefinition)node.Definition!).Fields.Select(field => field.Name + "=" + Text(value[field.Name], field.Node)))})";
            case SchemaKind.Half or SchemaKind.Single or SchemaKind.Double:
                return Real(value.AsDouble());
            case SchemaKind.Decimal:
                return value.AsDecimal().ToString(CultureInfo.InvariantCulture);
            default:
                return IsInteger(node) ? Integer(value).ToString(CultureInfo.InvariantCulture) : Escape(value.ToString());
        }
    }

    /// <summary>The text of what a stored value becomes.</summary>
    /// <exception cref="DoesNotFitException">It becomes nothing.</exception>
    public static string Map(NinoValue value, SchemaNode stored, SchemaNode own)
    {
        SchemaNode from = ValueMap.Inner(stored), to = ValueMap.Inner(own);
        if (to.Kind == SchemaKind.List && from.Kind != SchemaKind.List) return value.IsNull ? "[]" : $"[{Map(value, stored, to.Element!)}]";
        if (value.IsNull) return Zero(own);
        if (from.Kind == SchemaKind.List && to.Kind != SchemaKind.List)
        {
            if (value.Items.Count > 1) throw new DoesNotFitException("several elements");
            return value.Items.Count == 0 ? Zero(own) : Map(value.Items[0], from.Element!, own);
        }

        switch (to.Kind)
        {
            case SchemaKind.List:
                return $"[{string.Join(",", value.Items.Select(item => Map(item, from.Element!, to.Element!)))}]";
            case SchemaKind.Map:
                return $"{{{string.Join(",", value.Pairs.Select(pair => Map(pair.Key, from.Key!, to.Key!) + ":" + Map(pair.Value, from.Element!, to.Element!)))}}}";
            case SchemaKind.Object:
                var fields = new List<string>();
                var storedType = (ObjectDefinition)from.Definition!;
                foreach (SchemaField field in ((ObjectDefinition)to.Definition!).Fields)
                {
                    SchemaField? source = storedType.Fields.FirstOrDefault(f => f.Name == field.Name || field.FormerNames.Contains(f.Name));
                    fields.Add(field.Name + "=" + (source is null ? Zero(field.Node) : Map(value[source.Name], source.Node, field.Node)));
                }

                return $"({string.Join(",", fields)})";
            case SchemaKind.Half or SchemaKind.Single or SchemaKind.Double:
                return IsInteger(from) ? Real((double)Integer(value)) : Real(value.AsDouble());
            case SchemaKind.Decimal when IsInteger(from):
                BigInteger number = Integer(value);
                if (BigInteger.Abs(number) > (BigInteger)decimal.MaxValue) throw new DoesNotFitException("decimal");
                return ((decimal)number).ToString(CultureInfo.InvariantCulture);
            case SchemaKind.Decimal:
                return value.AsDecimal().ToString(CultureInfo.InvariantCulture);
            case SchemaKind.DateTime when from.Kind == SchemaKind.DateOnly:
                return Escape(value.AsDateOnly().ToDateTime(TimeOnly.MinValue).ToString("O", CultureInfo.InvariantCulture));
            case SchemaKind.TimeSpan when from.Kind == SchemaKind.TimeOnly:
                return Escape(value.AsTimeOnly().ToTimeSpan().ToString("c", CultureInfo.InvariantCulture));
        }

        if (!IsInteger(to)) return Escape(value.ToString());
        BigInteger integer = from.Kind == SchemaKind.Boolean ? (value.AsBoolean() ? 1 : 0) : Integer(value);
        (BigInteger min, BigInteger max) = Range(ScalarConversions.KindOf(to));
        return integer >= min && integer <= max ? integer.ToString(CultureInfo.InvariantCulture) : throw new DoesNotFitException($"{integer} as {to.Kind}");
    }

    public static string Zero(SchemaNode own) => own.Kind switch
    {
        SchemaKind.Nullable or SchemaKind.String or SchemaKind.Utf8String or SchemaKind.List or SchemaKind.Map => "null",
        SchemaKind.Object when own.HasPresenceByte => "null",
        SchemaKind.Object => $"({string.Join(",", ((ObjectDefinition)own.Definition!).Fields.Select(field => field.Name + "=" + Zero(field.Node)))})",
        SchemaKind.Boolean => Escape("false"),
        SchemaKind.Half or SchemaKind.Single or SchemaKind.Double => Real(0),
        SchemaKind.Decimal => "0",
        SchemaKind.Char or SchemaKind.Rune => Escape("\0"),
        SchemaKind.Guid => Escape(Guid.Empty.ToString()),
        SchemaKind.DateTime => Escape(default(DateTime).ToString("O", CultureInfo.InvariantCulture)),
        SchemaKind.DateTimeOffset => Escape(default(DateTimeOffset).ToString("O", CultureInfo.InvariantCulture)),
        SchemaKind.TimeSpan => Escape("00:00:00"),
        SchemaKind.DateOnly => Escape(default(DateOnly).ToString("O", CultureInfo.InvariantCulture)),
        SchemaKind.TimeOnly => Escape(default(TimeOnly).ToString("O", CultureInfo.InvariantCulture)),
        _ => "0",
    };

    private static BigInteger Integer(NinoValue value) => ScalarConversions.KindOf(value.Schema!) is SchemaKind.UInt128 ? (BigInteger)value.AsUInt128() : (BigInteger)value.AsInt128();

    private static (BigInteger Min, BigInteger Max) Range(SchemaKind kind) => kind switch
    {
        SchemaKind.SByte => (sbyte.MinValue, sbyte.MaxValue),
        SchemaKind.Byte => (byte.MinValue, byte.MaxValue),
        SchemaKind.Int16 => (short.MinValue, short.MaxValue),
        SchemaKind.UInt16 => (ushort.MinValue, ushort.MaxValue),
        SchemaKind.Int32 => (int.MinValue, int.MaxValue),
        SchemaKind.UInt32 => (uint.MinValue, uint.MaxValue),
        SchemaKind.Int64 => (long.MinValue, long.MaxValue),
        SchemaKind.UInt64 => (ulong.MinValue, ulong.MaxValue),
        SchemaKind.Int128 => ((BigInteger)Int128.MinValue, (BigInteger)Int128.MaxValue),
        _ => (0, (BigInteger)UInt128.MaxValue),
    };

    private static bool IsInteger(SchemaNode node) => ScalarConversions.KindOf(node) is >= SchemaKind.SByte and <= SchemaKind.UInt128;

    private static string Real(double value) => double.IsNaN(value) ? "NaN" : value.ToString("R", CultureInfo.InvariantCulture);

    private static string Escape(string text)
    {
        if (text.All(char.IsAsciiDigit)) return text;
        var escaped = new StringBuilder("'");
        foreach (char c in text) escaped.Append(char.IsAsciiLetterOrDigit(c) ? c.ToString() : $"\\{(int)c:X4}");
        return escaped.Append('\'').ToString();
    }
}
