import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { badChange, goodChange, openRunWorld, type RunWorld } from "./run-world.ts";

let world: RunWorld;
beforeAll(async () => {
  world = await openRunWorld();
});
afterAll(async () => {
  await world.close();
});

function second(): number {
  return Math.floor(Date.now() / 1000);
}

/**
 * Something happens while an interval passes, once, and not in the second in which the pull was opened: whether an
 * approval of that second is for this head nobody could prove.
 */
function once(happen: () => Promise<unknown>): () => Promise<void> {
  const openedAt = second();
  let isOver = false;
  return async () => {
    if (isOver || second() === openedAt) return;
    isOver = true;
    await happen();
  };
}

test("explain says what would be done, and does nothing of it", async () => {
  const pull = await world.openPull(badChange);
  const before = world.forge.sandbox.history.length;
  const { code, out } = await world.drover(["explain", "--pull", String(pull.number)]);
  expect(code).toBe(0);
  expect(out).toContain("start the general review");
  expect(world.forge.sandbox.history.length).toBe(before);
});

test("explain with --json is what derive and plan gave", async () => {
  const pull = await world.openPull(goodChange);
  const { code, out } = await world.drover(["explain", "--json", "--pull", String(pull.number)]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ situation: { gate: { state: "pending" } }, plan: expect.any(Array) });
});

test("watch says each change once and ends with the merge", async () => {
  const pull = await world.openPull(goodChange);
  const { sandbox, people } = world.forge;
  const rita = sandbox.as(people.rita);
  const approve = once(async () => await rita.review(pull, { event: "approve", body: "Good." }));
  const { code, out } = await world.drover(["watch", "--pull", String(pull.number), "--json"], {
    sleep: async (_, said) => {
      await approve();
      if (said.includes("approved by")) await rita.merge(pull);
    },
  });
  expect(code).toBe(0);
  const told = out
    .trim()
    .split("\n")
    .map((line): { what: string; from: string | null; to: string } => JSON.parse(line));
  expect(told.filter(({ what }) => what === "pull").map(({ from, to }) => [from, to])).toEqual([
    [null, "open"],
    ["open", "merged"],
  ]);
  expect(told.filter(({ what }) => what === "approval").map(({ to }) => to)).toEqual([
    "1 approval of this head needed",
    "approved by `rita`",
  ]);
});

test("wait ends with 0 when somebody approves", async () => {
  const pull = await world.openPull(goodChange);
  const { sandbox, people } = world.forge;
  const { code, out } = await world.drover(["wait", "--pull", String(pull.number)], {
    sleep: once(async () => await sandbox.as(people.rita).review(pull, { event: "approve", body: "" })),
  });
  expect({ code, out }).toEqual({ code: 0, out: "approved: approved by `rita`\n" });
});

test("wait ends with 3 when somebody asks for changes", async () => {
  const pull = await world.openPull(goodChange);
  const { sandbox, people } = world.forge;
  const { code, out } = await world.drover(["wait", "--json", "--pull", String(pull.number)], {
    sleep: once(async () => await sandbox.as(people.rita).review(pull, { event: "request_changes", body: "No." })),
  });
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ status: "changes_requested", exit_code: 3 });
});

test("wait ends with 4 when nobody decides in time, having looked once in each interval", async () => {
  const pull = await world.openPull(goodChange);
  const slept: number[] = [];
  const { code, out } = await world.drover(
    ["wait", "--pull", String(pull.number), "--timeout", "70s", "--interval", "30s"],
    { sleep: async (ms) => void slept.push(ms) },
  );
  expect({ code, out, slept }).toEqual({
    code: 4,
    out: "timeout: no decision before the timeout\n",
    slept: [30_000, 30_000, 10_000],
  });
});

describe.each(["github", "gitea"] as const)("after the review time-out, in the manner of %s", (manner) => {
  let late: RunWorld;
  beforeAll(async () => {
    late = await openRunWorld(manner);
  });
  afterAll(async () => {
    await late.close();
  });

  /** Drover has seen the head, reviewers have had their time, and rita may have said something in between. */
  async function openLate(asksForChanges: boolean): Promise<string> {
    const pull = await late.openPull(goodChange);
    await late.drover(["run", "--pull", String(pull.number)]);
    late.passTime(hourMs);
    const { sandbox, people } = late.forge;
    if (asksForChanges) await sandbox.as(people.rita).review(pull, { event: "request_changes", body: "No." });
    late.passTime(hourMs);
    return String(pull.number);
  }

  test("wait ends with 4 at once, as the status of the pull says, also where changes were asked for before", async () => {
    for (const asksForChanges of [true, false]) {
      const number = await openLate(asksForChanges);
      const { code, out } = await late.drover(["wait", "--pull", number], {
        sleep: async () => {
          throw new Error("it goes on waiting");
        },
      });
      expect(code).toBe(4);
      expect(out).toContain("timeout: no approval in time, waiting since ");
      expect(out.includes("`rita` asked for changes")).toBe(asksForChanges);
      expect(out).toContain("--timeout waits longer");
    }
  });

  test("wait with a time of its own takes that one instead", async () => {
    const asked = await late.drover(["wait", "--pull", await openLate(true), "--timeout", "1m"]);
    expect(asked).toMatchObject({ code: 3 });
    expect(asked.out).toContain("changes_requested: ");
    const number = await openLate(false);
    const { sandbox, people } = late.forge;
    const [repository] = late.forge.repositories;
    if (repository === undefined) throw new Error("there is no repository");
    const approved = await late.drover(["wait", "--pull", number, "--timeout", "1m"], {
      sleep: async () => {
        await sandbox.as(people.rita).review({ repository, number: Number(number) }, { event: "approve", body: "" });
        late.passTime(minuteMs);
      },
    });
    expect(approved).toMatchObject({ code: 0 });
  });
});

test("wait for a pull that is not there fails at once", async () => {
  const { code, out } = await world.drover(["wait", "--pull", "999", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ status: "failed" });
});
