using Store.Framing;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

/// <summary>All files of a folder change at once, or none does.</summary>
public class FolderExchangeCrashTests(ITestOutputHelper output)
{
    [Fact]
    public void WhereverThePowerFailsTheFolderIsAsItWasOrAsItIsToBe()
    {
        int states = 0, before = 0, after = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory folder = Old();
            folder.PowerOffAt = folder.OperationCount + at;
            try
            {
                Change(folder);
            }
            catch (SimulatedPowerFailure)
            {
                // What is left is finished by the next one to open it.
            }

            foreach (SimDirectory left in folder.CrashStates(limit: 200, seed: (int)at))
            {
                states++;
                string content = Content(Finished(left, states % 2 == 0 ? 1 + (states / 2 % 8) : null));
                if (content == Content(Old()) && folder.IsPowerOff) before++;
                else Assert.Equal("a:new b:old d:more", content);
                if (content.StartsWith("a:new", StringComparison.Ordinal)) after++;
            }

            if (!folder.IsPowerOff) break;
        }

        Assert.True(before > 20 && after > 20, $"{before} before, {after} after");
        Effort.Tell(output, "crash states", states, "no chance in it", $"exchange of a folder's files: {before} as it was, {after} as it is to be");
    }

    /// <summary>The beginning is a file elsewhere, here outside of the folder's prefix: what is in it and what is in the folder change in one step.</summary>
    [Fact]
    public void WhereverThePowerFailsTheFolderIsEmptyFromTheNewBeginningOn()
    {
        int before = 0, after = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory all = new();
            FolderView folder = new(all, "kv-x.");
            foreach (string name in new[] { "a", "b", "c" }) FileBytes.Put(folder, name, "old"u8);
            FileBytes.Put(folder, $"d{FolderExchange.StagedSuffix}", "left"u8);
            all.PowerOffAt = all.OperationCount + at;
            try
            {
                FolderExchange.Empty(folder, since: 7, () => AtomicFile.Publish(all, "begun", static _ => { }));
            }
            catch (SimulatedPowerFailure)
            {
                // What is left is finished by the next one to open it.
            }

            foreach (SimDirectory left in all.CrashStates(limit: 200, seed: (int)at).Append(all.KillProcess()))
            {
                bool hasBegun = left.List().Any(static f => f.Name == "begun");
                FolderView there = new(left, "kv-x.");
                FolderExchange.Finish(there, hasBegun ? 7 : 3);
                Assert.Equal(hasBegun ? "" : "a:old b:old c:old", Content(there));
                Assert.DoesNotContain(there.List(), static f => FolderExchange.IsItsOwn(f.Name));
                if (hasBegun) after++;
                else before++;
            }

            if (!all.IsPowerOff) break;
        }

        Assert.True(before > 10 && after > 10, $"{before} before, {after} after");
    }

    [Fact]
    public void WhatTheEngineWritesAfterwardsStays()
    {
        SimDirectory folder = Old();
        Change(folder);
        FileBytes.Put(folder, "e", "its own"u8);
        foreach (SimDirectory left in folder.CrashStates(limit: 50, seed: 1).Append(folder.KillProcess()))
        {
            FolderExchange.Finish(left, since: 0);
            Assert.Equal("a:new b:old d:more e:its own", Content(left));
        }
    }

    [Fact]
    public void NoDamagedListIsBelieved()
    {
        SimDirectory folder = Old();
        folder.OnOperation = (_, what) =>
        {
            if (what == $"rename a{FolderExchange.StagedSuffix}") throw new IOException("stopped");
        };
        Assert.Throws<IOException>(() => Change(folder));
        folder.OnOperation = null;
        byte[] right = FileBytes.Of(folder, FolderExchange.ListName);
        for (int i = 0; i < right.Length * 8; i++)
        {
            byte[] wrong = [.. right];
            wrong[i / 8] ^= (byte)(1 << (i % 8));
            Refused(wrong);
        }

        for (int length = 0; length < right.Length; length++) Refused(right[..length]);
        Refused([.. right, 0]);
        FolderExchange.Finish(folder, since: 0);
        Assert.Equal("a:new b:old d:more", Content(folder));

        void Refused(byte[] bytes)
        {
            SimDirectory damaged = folder.KillProcess();
            FileBytes.Put(damaged, FolderExchange.ListName, bytes);
            string before = Content(damaged);
            Assert.Contains("back up again", Assert.Throws<StoreCorruptException>(() => FolderExchange.Finish(damaged, since: 0)).Message, StringComparison.Ordinal);
            Assert.Equal(before, Content(damaged));
        }
    }

    [Fact]
    public void TheListIsAsThePageShowsIt()
    {
        SimDirectory folder = Old();
        byte[]? list = null;
        folder.OnOperation = (_, what) =>
        {
            if (what == $"remove {FolderExchange.ListName}") throw new IOException("stopped");
        };
        Assert.Throws<IOException>(() => Change(folder));
        folder.OnOperation = null;
        list = FileBytes.Of(folder, FolderExchange.ListName);
        Assert.Equal("4E494E4F45584331" + "0000000000000000" + "03000000" + "01000000" + "61" + "01000000" + "62" + "01000000" + "64", Convert.ToHexString(list.AsSpan(0, list.Length - 4)));
        Assert.Equal(Crc32C.Compute(list.AsSpan(0, list.Length - 4)), BitConverter.ToUInt32(list.AsSpan(list.Length - 4)));
    }

    private static SimDirectory Old()
    {
        SimDirectory folder = new();
        FileBytes.Put(folder, "a", "old"u8);
        FileBytes.Put(folder, "b", "old"u8);
        FileBytes.Put(folder, "c", "old"u8);
        return folder;
    }

    // "a" becomes another, "b" stays, "c" goes, "d" comes.
    private static void Change(SimDirectory folder)
    {
        FolderExchange.Finish(folder, since: 0);
        Stage("a", "new"u8);
        Stage("d", "more"u8);
        FolderExchange.Run(folder, ["a", "b", "d"]);

        void Stage(string name, ReadOnlySpan<byte> bytes)
        {
            using IStoreFile file = folder.Create(name + FolderExchange.StagedSuffix);
            file.Write(bytes, 0);
            file.SyncData();
        }
    }

    // Finishing may be interrupted too, and is done again then.
    private static SimDirectory Finished(SimDirectory left, int? interruptedAt)
    {
        if (interruptedAt is { } at) left.PowerOffAt = left.OperationCount + at;
        try
        {
            FolderExchange.Finish(left, since: 0);
            string content = Content(left);
            foreach (SimDirectory later in left.CrashStates(limit: 20, seed: 1)) Assert.Equal(content, Content(later));
            return left.KillProcess();
        }
        catch (SimulatedPowerFailure)
        {
            SimDirectory later = left.CrashStates(limit: 1, seed: interruptedAt!.Value).First();
            FolderExchange.Finish(later, since: 0);
            return later;
        }
    }

    private static string Content(IStoreDirectory folder) =>
        string.Join(' ', folder.List().Where(static f => !FolderExchange.IsItsOwn(f.Name)).Select(f => $"{f.Name}:{System.Text.Encoding.UTF8.GetString(FileBytes.Of(folder, f.Name))}"));
}
