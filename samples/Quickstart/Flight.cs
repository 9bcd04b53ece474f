// The types of the sample. [NinoType] is all the store needs.

using Store.Serialization;

namespace Quickstart;

/// <summary>One flight: a record of the log.</summary>
[NinoType]
public sealed partial record Flight(DateTime Departure, int DelayMinutes, int DistanceMiles, string Origin, string Destination);

/// <summary>The state that the flights add up to: what is checkpointed and restored.</summary>
[NinoType]
public sealed partial class FlightStatistics
{
    /// <summary>Flights seen.</summary>
    public int Flights { get; set; }

    /// <summary>Miles flown.</summary>
    public long Miles { get; set; }

    /// <summary>Totals by airport of origin.</summary>
    public Dictionary<string, AirportTotals> ByOrigin { get; set; } = [];

    /// <summary>Adds one flight.</summary>
    public void Apply(Flight flight)
    {
        Flights++;
        Miles += flight.DistanceMiles;
        if (!ByOrigin.TryGetValue(flight.Origin, out AirportTotals? totals)) ByOrigin.Add(flight.Origin, totals = new AirportTotals());
        totals.Departures++;
        totals.DelayMinutes += flight.DelayMinutes;
        totals.WorstDelayMinutes = Math.Max(totals.WorstDelayMinutes, flight.DelayMinutes);
    }

    /// <summary>True when another state says the same.</summary>
    public bool SameAs(FlightStatistics other) =>
        Flights == other.Flights && Miles == other.Miles && ByOrigin.Count == other.ByOrigin.Count
        && ByOrigin.All(pair => other.ByOrigin.TryGetValue(pair.Key, out AirportTotals? totals) && totals == pair.Value);
}

/// <summary>Totals of one airport.</summary>
[NinoType]
public sealed partial record AirportTotals
{
    /// <summary>Departures.</summary>
    public int Departures { get; set; }

    /// <summary>Sum of the delays; early flights count against late ones.</summary>
    public int DelayMinutes { get; set; }

    /// <summary>The worst.</summary>
    public int WorstDelayMinutes { get; set; }
}
