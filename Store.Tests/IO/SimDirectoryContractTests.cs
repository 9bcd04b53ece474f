using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.IO;

/// <summary>The simulator behaves as the disk does.</summary>
public sealed class SimDirectoryContractTests : DirectoryContractTests
{
    protected override IStoreDirectory CreateDirectory() => new SimDirectory();

    protected override IStoreDirectory OpenReadOnly(IStoreDirectory directory) => ((SimDirectory)directory).AsReadOnly();
}
