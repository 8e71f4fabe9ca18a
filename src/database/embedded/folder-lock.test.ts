import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DatabaseError } from "#database/database-error.ts";
import { takeFolderLock } from "#database/embedded/folder-lock.ts";
import { type LockOwner, thisProcess } from "#database/embedded/lock-owner.ts";

const us = thisProcess();
const silentMs = 700;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drover-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function leaveLock(owner: LockOwner, number = 1): string {
  const path = join(folder, `lock.${number}`);
  writeFileSync(path, JSON.stringify(owner));
  return path;
}

/** Of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

/** A process that has ended, and whose parent does not want to know. */
async function zombie(): Promise<{ readonly owner: LockOwner; readonly end: () => void }> {
  const parent = spawn("/bin/sh", ["-c", 'sleep 0 & echo "$!"; exec sleep 600'], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [said]: unknown[] = await once(parent.stdout, "data");
  const pid = Number(String(said));
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z "), { timeout: 30_000 });
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  return { owner: { ...us, pid, startedAt }, end: () => void parent.kill("SIGKILL") };
}

describe("the lock of a folder", () => {
  it.runIf(process.platform === "linux")(
    "is taken over from an owner that was killed and not yet waited for",
    async () => {
      const { owner, end } = await zombie();
      leaveLock(owner);
      const lock = await takeFolderLock({ folder });
      expect(readdirSync(folder)).toEqual(["lock.2"]);
      lock.release();
      end();
    },
  );

  it("keeps everybody else out until it is released, the same process too", async () => {
    const lock = await takeFolderLock({ folder });
    await expect(takeFolderLock({ folder })).rejects.toMatchObject({
      kind: "in_use",
      message: expect.stringContaining(`in use by process ${process.pid} `),
    });
    lock.release();
    (await takeFolderLock({ folder })).release();
  });

  it("says what to do", async () => {
    leaveLock(us);
    await expect(takeFolderLock({ folder })).rejects.toThrow(/Stop that one first, or give this one another folder/);
  });

  it("says how to get rid of it where the system does not tell one process from the next", async () => {
    const path = leaveLock({ ...us, startedAt: null });
    await expect(takeFolderLock({ folder })).rejects.toThrow(`If that process is no Drover, remove ${path}`);
  });

  it.each<[string, () => LockOwner]>([
    ["whose process has ended", () => ({ ...us, pid: deadPid() })],
    ["whose number another process has got since", () => ({ ...us, startedAt: "1" })],
  ])("is taken over from an owner %s", async (_, owner) => {
    leaveLock(owner());
    const lock = await takeFolderLock({ folder });
    await expect(takeFolderLock({ folder })).rejects.toMatchObject({ kind: "in_use" });
    lock.release();
  });

  it.each<[string, Partial<LockOwner>]>([
    ["in another container", { pidSpace: "another" }],
    ["on another machine with our name, or before ours was started again,", { boot: "another" }],
    ["on another machine of a system that does not tell its starts apart", { host: "another" }],
  ])("is left to an owner %s as long as it shows that it lives", async (_, elsewhere) => {
    const path = leaveLock({ ...us, ...elsewhere, pid: deadPid() });
    let beats = 0;
    const beating = setInterval(() => {
      beats += 1;
      utimesSync(path, beats, beats);
    }, 50);
    await expect(takeFolderLock({ folder, silentMs })).rejects.toMatchObject({ kind: "in_use" });
    clearInterval(beating);
    (await takeFolderLock({ folder, silentMs })).release();
  });

  it("shows that its owner lives to those in another container", async () => {
    const lock = await takeFolderLock({ folder });
    const elsewhere = { ...us, pidSpace: "another" };
    await expect(takeFolderLock({ folder, us: elsewhere, silentMs: 10_000 })).rejects.toMatchObject({ kind: "in_use" });
    lock.release();
  });

  it("counts by its highest number, and clears away what is below and what was left half done", async () => {
    leaveLock({ ...us, pid: deadPid() }, 9);
    leaveLock({ ...us, pid: deadPid() }, 10);
    writeFileSync(join(folder, "lock.new.1.a"), "");
    const lock = await takeFolderLock({ folder });
    expect(readdirSync(folder)).toEqual(["lock.11"]);
    lock.release();
  });

  it("that does not read as one is not touched", async () => {
    writeFileSync(join(folder, "lock.1"), "{}");
    await expect(takeFolderLock({ folder })).rejects.toThrow(/If no Drover uses the folder, remove that file/);
  });

  it.each<[string, () => void]>([
    ["is gone", () => rmSync(join(folder, "lock.1"))],
    ["is another's", () => void leaveLock({ ...us, pid: deadPid() })],
  ])("tells its owner within a beat when it %s", async (_, lose) => {
    const told = new Promise<DatabaseError>((resolve) => void takeFolderLock({ folder, onLost: resolve }));
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(["lock.1"]));
    lose();
    expect((await told).message).toContain(`The folder ${folder} belongs to another process now`);
  });

  it("is not released by who has lost it", async () => {
    const lost = await takeFolderLock({ folder });
    leaveLock(us, 2);
    rmSync(join(folder, "lock.1"));
    lost.release();
    await expect(takeFolderLock({ folder })).rejects.toMatchObject({ kind: "in_use" });
  });
});
