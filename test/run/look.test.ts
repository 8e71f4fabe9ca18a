import { afterAll, beforeAll, expect, test } from "vitest";
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
    out: "timeout: nobody has decided in time\n",
    slept: [30_000, 30_000, 10_000],
  });
});

test("wait for a pull that is not there fails at once", async () => {
  const { code, out } = await world.drover(["wait", "--pull", "999", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ status: "failed" });
});
