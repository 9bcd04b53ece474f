using System.Globalization;
using System.Xml.Linq;
using Store.Bench.Harness;

namespace Store.Tests.Bench;

public sealed class SvgBarChartTests
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void EveryBarIsDrawnWithItsLabelAndValue()
    {
        XElement picture = Draw(chart => chart.Add("group", [new SvgBar("first", 10), new SvgBar("second", 1234.5)]));
        string[] texts = [.. picture.Descendants(Svg + "text").Select(t => t.Value)];
        Assert.Contains("group", texts);
        Assert.Contains("first", texts);
        Assert.Contains("second", texts);
        Assert.Contains("1,235", texts);
        Assert.Equal(2, Bars(picture).Count());
    }

    [Fact]
    public void TenTimesTheValueIsOneDecadeLongerEverywhere()
    {
        XElement picture = Draw(chart => chart.Add("g", [new SvgBar("a", 1), new SvgBar("b", 10), new SvgBar("c", 100), new SvgBar("d", 1000)]));
        double[] widths = [.. Bars(picture).Select(b => Attribute(b, "width"))];
        Assert.Equal(widths[2] - widths[1], widths[3] - widths[2], 0.2);
        Assert.Equal(widths[1], widths[2] - widths[1], 1.2);
        Assert.True(widths[0] > 0, "The smallest bar can be seen.");
    }

    [Fact]
    public void NothingLiesOutsideOfThePicture()
    {
        XElement picture = Draw(chart =>
        {
            chart.Add("small", [new SvgBar("a", 0.02), new SvgBar("b", 0.5, IsOwn: true)]);
            chart.Add("large", [.. Enumerable.Range(1, 12).Select(i => new SvgBar($"peer {i}", i * 987_654d))]);
        });
        double[] box = [.. ((string)picture.Attribute("viewBox")!).Split(' ').Select(n => double.Parse(n, CultureInfo.InvariantCulture))];
        foreach (XElement rect in picture.Descendants(Svg + "rect").Where(r => r.Attribute("x") is not null))
        {
            Assert.InRange(Attribute(rect, "x") + Attribute(rect, "width"), 0, box[2]);
            Assert.InRange(Attribute(rect, "y") + Attribute(rect, "height"), 0, box[3]);
        }
        Assert.All(picture.Descendants(Svg + "text"), text => Assert.InRange(Attribute(text, "y"), 0, box[3]));
    }

    [Fact]
    public void OwnBarsHaveAColourOfTheirOwn()
    {
        XElement picture = Draw(chart => chart.Add("g", [new SvgBar("a", 1), new SvgBar("b", 2, IsOwn: true), new SvgBar("c", 3)]));
        string[] colours = [.. Bars(picture).Select(b => (string)b.Attribute("fill")!)];
        Assert.Equal(colours[0], colours[2]);
        Assert.NotEqual(colours[0], colours[1]);
    }

    [Fact]
    public void NamesWithMarkupAreText()
    {
        XElement picture = Draw(chart => chart.Add("<g> & co", [new SvgBar("List<\"T\">", 1)]));
        Assert.Contains("<g> & co", picture.Descendants(Svg + "text").Select(t => t.Value));
        Assert.Contains("List<\"T\">", picture.Descendants(Svg + "text").Select(t => t.Value));
    }

    [Fact]
    public void TheSameValuesGiveTheSameBytesInEveryCulture()
    {
        string expected = Text();
        CultureInfo culture = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NumberDecimalSeparator = ",", NumberGroupSeparator = "." } };
            Assert.Equal(expected, Text());
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
        }

        static string Text()
        {
            var chart = new SvgBarChart("t", "ns");
            chart.Add("g", [new SvgBar("a", 1.25), new SvgBar("b", 12345.6)]);
            return chart.ToString();
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void AValueWithoutAPlaceOnTheAxisIsRefused(double value) => Assert.Throws<ArgumentException>(() => Draw(chart => chart.Add("g", [new SvgBar("a", value)])));

    [Fact]
    public void AChartWithoutBarsIsRefused()
    {
        Assert.Throws<InvalidOperationException>(() => Draw(_ => { }));
        Assert.Throws<ArgumentException>(() => Draw(chart => chart.Add("g", [])));
    }

    private static XElement Draw(Action<SvgBarChart> fill)
    {
        var chart = new SvgBarChart("title", "unit");
        fill(chart);
        return XDocument.Parse(chart.ToString()).Root!;
    }

    // The background has no x.
    private static IEnumerable<XElement> Bars(XElement picture) => picture.Descendants(Svg + "rect").Where(r => r.Attribute("x") is not null);

    private static double Attribute(XElement element, string name) => double.Parse((string)element.Attribute(name)!, CultureInfo.InvariantCulture);
}
