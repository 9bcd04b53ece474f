// The views of types of a fixed width, lists and nullables of them.

namespace Store.Tests.Views;

internal static partial class ViewCatalog
{
    private static void Same(ViewAssert assert, ComponentsView view, Components? value)
    {
        Components from = value ?? new();
        assert.SameBits(from.A, view.A);
        assert.SameBits(from.B, view.B);
        assert.SameBits(from.C, view.C);
        assert.SameBits(from.D, view.D);
        assert.SameBits(from.E, view.E);
        assert.SameBits(from.F, view.F);
        assert.SameBits(from.G, view.G);
        assert.SameBits(from.H, view.H);
        assert.SameBits(from.I, view.I);
        assert.SameBits(from.J, view.J);
        assert.SameBits(from.K, view.K);
        assert.SameBits(from.L, view.L);
        assert.SameBits(from.M, view.M);
        assert.SameBits(from.N, view.N);
        assert.SameBits(from.O, view.O);
        assert.SameBits(from.P, view.P);
        assert.Same(from.Q, view.Q);
        assert.Same(from.Last, view.Last);
        assert.SameBits(from.An, view.An);
        assert.SameBits(from.Cn, view.Cn);
        assert.SameBits(from.Hn, view.Hn);
        assert.SameBits(from.Jn, view.Jn);
        assert.SameBits(from.Pn, view.Pn);
        assert.Same(value?.Text, view.Text);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, ComponentListsView view, ComponentLists? value)
    {
        assert.SameBits(value?.A, view.A);
        assert.SameBits(value?.C, view.C);
        assert.SameBits(value?.D, view.D);
        assert.Same(value?.E, view.E);
        assert.SameBits(value?.F, view.F);
        assert.SameBits(value?.G, view.G);
        assert.SameBits(value?.H, view.H);
        assert.SameBits(value is null || value.I.IsDefault ? null : value.I, view.I);
        assert.SameBits(value?.J, view.J);
        assert.SameBits(value?.K, view.K);
        assert.SameBits(value?.L, view.L);
        assert.SameBits(value?.M, view.M);
        assert.SameBits(value?.N, view.N);
        assert.SameBits(value?.O, view.O);
        assert.SameBits(value?.P, view.P);
        assert.SameBits(value?.Q, view.Q);
        assert.SameBits(value?.R, view.R);
        assert.SameBits(value?.S, view.S);
        assert.SameBits(value?.T, view.T);
        assert.Same(value?.Text, view.Text);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, PlacesView view, Places? value)
    {
        assert.Same(value?.From ?? default, view.From);
        assert.Same(value?.Of ?? default, view.Of);
        assert.Same(value?.MaybeFrom, view.MaybeFrom);
        assert.Same(value?.MaybeOf, view.MaybeOf);
        assert.Same(value?.All, view.All);
        assert.Same(value?.Ranges, view.Ranges);
        assert.Same(value?.Text, view.Text);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, MaybesView view, Maybes? value)
    {
        Maybes from = value ?? new(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 0);
        assert.Same(from.A, view.A);
        assert.Same(from.B, view.B);
        assert.Same(from.C, view.C);
        assert.Same(from.D, view.D);
        assert.Same(from.E, view.E);
        assert.Same(from.G, view.G);
        assert.Same(from.H, view.H);
        assert.Same(from.I, view.I);
        assert.Same(from.J, view.J);
        assert.Same(from.K, view.K);
        assert.Same(from.L, view.L);
        assert.Same(from.M, view.M);
        assert.Same(from.N, view.N);
        assert.Same(from.O, view.O);
        assert.Same(from.P, view.P);
        assert.Same(from.Q, view.Q);
        assert.Same(from.R, view.R);
        assert.Same(from.S, view.S);
        assert.Same(from.T, view.T);
        assert.Same(from.U, view.U);
        assert.Same(from.V, view.V);
        assert.Same(from.W, view.W);
        assert.Same(from.X, view.X);
        assert.Same(from.Y, view.Y);
        assert.Same(from.Z, view.Z);
        assert.Same(from.Last, view.Last);
        assert.SameRecord(value, view.Read());
    }
}
