namespace Store.KeyValue;

/// <summary>An engine that can tell whether it is called from inside one of its own callbacks. One that cannot is asked for its checkpoint all the same, and refuses by itself.</summary>
internal interface IKnowsItsCallbacks
{
    /// <summary>True while this thread is inside a callback of it.</summary>
    bool IsInsideCallback { get; }
}
