// What is left of NinoStore when everything unused is trimmed away and code cannot be made at run time: every family of types, then the store.
// Published and run by TrimmedProgramTests; publish-aot.sh beside it publishes it as Native AOT.

using System.Runtime.CompilerServices;
using Store.TrimTest;

var checks = new Checks();
checks.Equal("dynamic code is off", false, RuntimeFeature.IsDynamicCodeSupported);
SerializerChecks.Run(checks);
await StreamChecks.RunAsync(checks);

string folder = args.Length > 0 ? args[0] : Path.Combine(Path.GetTempPath(), "ninostore-trimtest-" + Guid.NewGuid().ToString("n"));
try
{
    await StoreChecks.RunAsync(checks, folder);
}
finally
{
    if (Directory.Exists(folder)) Directory.Delete(folder, recursive: true);
}

foreach (string row in checks.Rows) Console.WriteLine(row);
foreach (string failure in checks.Failures) Console.Error.WriteLine(failure);
Console.WriteLine($"{checks.Passed} checks passed, {checks.Failures.Count} failed");
return checks.Failures.Count == 0 ? 0 : 1;
