using System.Globalization;

namespace Quickstart;

/// <summary>Reads samples/data/flights-20k.csv: 20,000 real flights (U.S. Bureau of Transportation Statistics, 2001).</summary>
internal static class FlightData
{
    public static List<Flight> Load()
    {
        List<Flight> flights = [];
        foreach (string line in File.ReadLines(Path.Combine(AppContext.BaseDirectory, "flights-20k.csv")).Skip(1))
        {
            string[] cells = line.Split(',');
            flights.Add(new Flight(
                DateTime.ParseExact(cells[0], "yyyy-MM-dd'T'HH:mm", CultureInfo.InvariantCulture),
                int.Parse(cells[1], CultureInfo.InvariantCulture),
                int.Parse(cells[2], CultureInfo.InvariantCulture),
                cells[3],
                cells[4]));
        }

        return flights;
    }
}
