using Store.Inspect;
using Store.Inspect.Rendering;

using ToolConsole console = ToolConsole.OfProcess();
return InspectTool.RunProcess(args, console);
