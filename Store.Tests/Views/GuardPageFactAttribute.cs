namespace Store.Tests.Views;

/// <summary>A fact about what lies behind and in front of bytes; skipped where the tests have no pages that must not be touched.</summary>
public sealed class GuardPageFactAttribute : FactAttribute
{
    public GuardPageFactAttribute()
    {
        if (!GuardPage.IsSupported) Skip = "no guard page on this system";
    }
}
