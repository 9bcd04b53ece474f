// Everything that is fuzzed, in the order of a run.

using Store.Fuzz.Driver;

namespace Store.Fuzz.Targets;

internal static class TargetList
{
    private static readonly FuzzTargetKind[] Planted =
    [
        new("planted", "a defect on purpose, behind a word that no blind edit hits: shows that coverage guides", static () => [new PlantedLane(static input => PlantedParser.Parse(input))]),
        new("planted-overflow", "a defect on purpose: the stack overflows", static () => [new PlantedLane(PlantedParser.Overflow)]),
        new("planted-memory", "a defect on purpose: more memory than there is", static () => [new PlantedLane(PlantedParser.Allocate)]),
    ];

    public static IReadOnlyList<FuzzTargetKind> Default { get; } =
    [
        new("records", "records of every type: the codec alone", static () => RecordLane.All(Tests.Fuzz.FuzzDepth.Codec)) { KeepsEachLane = true },
        new("ways", "the same by every way to read them: sequences, headers, into objects, as trees, as JSON", static () => RecordLane.All(Tests.Fuzz.FuzzDepth.Everything)),
        new("headers", "records with a fingerprint or a schema in front", static () => HeaderLane.All()),
        new("schema", "schemas", static () => [new SchemaLane()]),
        new("stored", "records beside a schema that is another's: as trees, as JSON and, by a plan, as the type", static () => StoredLane.All()),
        new("views", "views over records", static () => ViewLane.All()) { KeepsEachLane = true },
        new("items", "streams of items, in pieces", static () => ItemLane.All()),
        new("segment", "a segment of the log", static () => [new SegmentLane(seals: false)]),
        new("segment-sealed", "the same, its checksums made right", static () => [new SegmentLane(seals: true)]),
        new("store", "the files of a store: recovery, reading, retention, snapshots", static () => [new StoreLane(seals: false)]),
        new("store-sealed", "the same, their checksums made right", static () => [new StoreLane(seals: true)]),
        new("snapshot", "a snapshot", static () => [new SnapshotLane(seals: false)]),
        new("snapshot-sealed", "the same, its checksums made right", static () => [new SnapshotLane(seals: true)]),
        new("marker", "marks of cursors, of the log's start and end, of states, checksums made right", static () => [new MarkerLane()]),
        new("manifest", "descriptions of a keyed state's checkpoints, checksums made right", static () => [new ManifestLane()]),
        new("exchange", "the list by which a folder of keyed state is exchanged, checksums made right", static () => [new ExchangeLane()]),
        new("changes", "changes of keyed state", static () => ChangeLane.All()),
        new("shipment", "shipments of frames, imported", static () => [new ShipmentLane(seals: false)]),
        new("shipment-sealed", "the same, their checksums made right", static () => [new ShipmentLane(seals: true)]),
    ];

    public static IReadOnlyList<FuzzTargetKind> All { get; } = [.. Default, .. Planted];

    public static int NumberOf(FuzzTargetKind target) => All.ToList().IndexOf(target);

    public static FuzzTargetKind Of(string name) => All.FirstOrDefault(target => target.Name == name) ?? throw new UsageException($"There is no target '{name}'.");
}
