// The state, its two events and its one rule: everything that is not about storing.

using Store.Serialization;

namespace EventSourcing;

/// <summary>A flight was flown.</summary>
[NinoType]
public sealed partial record Flown(DateTime Departure, string Origin, string Destination, int DelayMinutes);

/// <summary>An airport closed: no flight may leave from it or go to it any more.</summary>
[NinoType]
public sealed partial record Closed(string Airport);

/// <summary>A network of airports as its events have made it.</summary>
[NinoType]
public sealed partial class Network
{
    public Dictionary<string, int> Departures { get; set; } = [];

    public HashSet<string> ClosedAirports { get; set; } = [];

    public long DelayMinutes { get; set; }

    public void Apply(Flown e)
    {
        Departures[e.Origin] = Departures.GetValueOrDefault(e.Origin) + 1;
        DelayMinutes += e.DelayMinutes;
    }

    public void Apply(Closed e) => ClosedAirports.Add(e.Airport);

    /// <summary>The rule: an order becomes an event only between open airports.</summary>
    public Flown? Decide(Flown order) => ClosedAirports.Contains(order.Origin) || ClosedAirports.Contains(order.Destination) ? null : order;

    public string Summary() => $"{Departures.Values.Sum():N0} flights from {Departures.Count} airports, {DelayMinutes:N0} minutes late in all, closed: {string.Join(", ", ClosedAirports)}";
}
