import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGroupCommit, type GroupAnswer, type GroupCommit, type GroupLimits } from "#store/group-commit.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";

/** A disk whose writes end when they are told to. */
interface Disk {
  readonly clock: VirtualClock;
  readonly group: GroupCommit<number>;
  /** Every write so far, in order. */
  readonly writes: readonly (readonly number[])[];
  readonly failures: readonly string[];
  /** Ends the write that is under way; with a failure where words are given. */
  end(failure?: string): Promise<void>;
}

const roomy: GroupLimits = { waitingMax: 100, waitMsMax: 1000, groupMax: 100 };

function createDisk(limits: GroupLimits = roomy): Disk {
  const clock = createVirtualClock(at(0));
  const writes: (readonly number[])[] = [];
  const failures: string[] = [];
  let settle: ((failure?: string) => void) | undefined;
  const group = createGroupCommit<number>({
    clock,
    limits,
    write: (items) => {
      writes.push(items);
      return new Promise((resolve, reject) => {
        settle = (failure) => (failure === undefined ? resolve() : reject(new Error(failure)));
      });
    },
    onFailure: (error, count) => failures.push(`${count}: ${String(error)}`),
  });
  const end = async (failure?: string): Promise<void> => {
    settle?.(failure);
    await settled();
  };
  return { clock, group, writes, failures, end };
}

/** Everything that can go on has done so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** What was answered so far; undefined where nothing was. */
function follow(promises: readonly Promise<GroupAnswer>[]): readonly (GroupAnswer | undefined)[] {
  const answers: (GroupAnswer | undefined)[] = promises.map(() => undefined);
  promises.forEach((promise, index) => {
    void promise.then((answer) => {
      answers[index] = answer;
      return answer;
    });
  });
  return answers;
}

describe("a group commit", () => {
  it("writes a lone item at once, and accepts it only when the write has ended", async () => {
    const disk = createDisk();
    const answers = follow([disk.group.accept(1)]);
    await settled();
    expect(disk.writes).toEqual([[1]]);
    expect(answers).toEqual([undefined]);
    await disk.end();
    expect(answers).toEqual(["accepted"]);
    expect(disk.group.countWaiting()).toBe(0);
  });

  it("writes whatever came during a write in the next one", async () => {
    const disk = createDisk();
    const first = follow([disk.group.accept(1)]);
    await settled();
    const others = follow([disk.group.accept(2), disk.group.accept(3), disk.group.accept(4)]);
    await settled();
    expect(disk.writes).toEqual([[1]]);
    await disk.end();
    expect(first).toEqual(["accepted"]);
    expect(others).toEqual([undefined, undefined, undefined]);
    await disk.end();
    expect(disk.writes).toEqual([[1], [2, 3, 4]]);
    expect(others).toEqual(["accepted", "accepted", "accepted"]);
  });

  it("takes no more into one write than its limit", async () => {
    const disk = createDisk({ ...roomy, groupMax: 2 });
    const answers = follow([1, 2, 3].map((item) => disk.group.accept(item)));
    await settled();
    await disk.end();
    expect(answers).toEqual(["accepted", "accepted", undefined]);
    await disk.end();
    expect(disk.writes).toEqual([[1, 2], [3]]);
    expect(answers).toEqual(["accepted", "accepted", "accepted"]);
  });

  it("turns away only those whose own write failed", async () => {
    const disk = createDisk();
    const failed = follow([disk.group.accept(1), disk.group.accept(2)]);
    await settled();
    const next = follow([disk.group.accept(3)]);
    await disk.end("disk full");
    expect(failed).toEqual(["busy", "busy"]);
    expect(disk.failures).toEqual(["2: Error: disk full"]);
    await disk.end();
    expect(next).toEqual(["accepted"]);
  });

  it("turns newcomers away at once when too many are waiting", async () => {
    const disk = createDisk({ ...roomy, waitingMax: 2 });
    const writing = follow([disk.group.accept(1)]);
    await settled();
    const waiting = follow([disk.group.accept(2), disk.group.accept(3), disk.group.accept(4)]);
    await settled();
    expect(waiting).toEqual([undefined, undefined, "busy"]);
    expect(disk.group.countWaiting()).toBe(3);
    await disk.end();
    await disk.end();
    expect([...writing, ...waiting]).toEqual(["accepted", "accepted", "accepted", "busy"]);
  });
});

describe("a disk that stands still", () => {
  it("keeps nobody longer than the limit, and nothing that was turned away in line is written later", async () => {
    const disk = createDisk();
    const stuck = follow([disk.group.accept(1)]);
    await settled();
    await disk.clock.advance(500);
    const behind = follow([disk.group.accept(2)]);
    await disk.clock.advance(499);
    expect([...stuck, ...behind]).toEqual([undefined, undefined]);
    await disk.clock.advance(1);
    expect([...stuck, ...behind]).toEqual(["busy", undefined]);
    await disk.clock.advance(500);
    expect(behind).toEqual(["busy"]);
    const late = follow([disk.group.accept(3)]);
    await disk.end();
    await disk.end();
    expect(disk.writes).toEqual([[1], [3]]);
    expect(late).toEqual(["accepted"]);
  });

  it("leaves nobody asleep once it has moved on", async () => {
    const disk = createDisk();
    const answers = follow([disk.group.accept(1)]);
    await settled();
    await disk.end();
    expect(answers).toEqual(["accepted"]);
    expect(disk.clock.nextWake()).toBeUndefined();
  });
});

describe("whatever happens", () => {
  it("everything is answered once, what is accepted was written, and in the order in which it came", async () => {
    const anyStep = fc.constantFrom("accept", "accept", "accept", "end", "fail", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const disk = createDisk({ waitingMax: 4, waitMsMax: 1000, groupMax: 3 });
        const promises: Promise<GroupAnswer>[] = [];
        const safe: number[] = [];
        const end = async (failure?: string): Promise<void> => {
          const before = disk.failures.length;
          const written = disk.writes.at(-1) ?? [];
          await disk.end(failure);
          if (disk.failures.length === before) safe.push(...written);
        };
        for (const step of steps) {
          if (step === "accept") promises.push(disk.group.accept(promises.length));
          await settled();
          if (step === "end") await end();
          if (step === "fail") await end("no");
          if (step === "wait") await disk.clock.advance(300);
        }
        while (disk.group.countWaiting() > 0) await end();
        const answers = await Promise.all(promises);
        const accepted = answers.flatMap((answer, item) => (answer === "accepted" ? [item] : []));
        expect(accepted.filter((item) => !safe.includes(item))).toEqual([]);
        const written = disk.writes.flat();
        expect(written).toEqual([...new Set(written)].toSorted((left, right) => left - right));
      }),
      { numRuns: 60 },
    );
  });
});
