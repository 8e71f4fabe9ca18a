import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { badChange, type Called, goodChange, nextSecond, openRunWorld, type RunWorld } from "./run-world.ts";

let world: RunWorld;
beforeAll(async () => {
  world = await openRunWorld();
});
afterAll(async () => {
  await world.close();
});

const Ending = z.object({
  exit_code: z.number(),
  verdict: z.string(),
  tasks_executed: z.number(),
  has_blocking_issues: z.boolean(),
  cost: z.string(),
  is_read_only: z.boolean(),
  troubles: z.array(z.string()),
  tasks: z.array(z.object({ kind: z.string(), trigger: z.string(), result: z.string() })),
  findings: z.array(z.object({ path: z.string(), is_blocking: z.boolean() })),
});

async function runJson(pull: PullRef, more: readonly string[] = [], files: Readonly<Record<string, string>> = {}) {
  const called = await world.drover(["run", "--pull", String(pull.number), "--json", ...more], { files });
  return { ...called, ending: Ending.parse(JSON.parse(called.out)) };
}

/** Everything that Drover has left on a pull. */
function left(pull: PullRef): { readonly reviews: number; readonly comments: number } {
  const { sandbox, people } = world.forge;
  const seen = sandbox.look(pull);
  const isOwn = ({ author }: { readonly author: { readonly id: string } }): boolean => author.id === people.drover.id;
  return { reviews: seen.reviews.filter(isOwn).length, comments: seen.comments.filter(isOwn).length };
}

test("an automatic review with blockers fails the run, and the same again finds nothing left to do", async () => {
  const pull = await world.openPull(badChange);
  const first = await runJson(pull);
  expect(first.code).toBe(1);
  expect(first.ending).toMatchObject({
    verdict: "blocked",
    tasks_executed: 1,
    has_blocking_issues: true,
    troubles: [],
  });
  expect(first.ending.tasks).toEqual([{ kind: "review", trigger: "automatic", result: "done" }]);
  const before = left(pull);
  const second = await runJson(pull);
  expect(second.code).toBe(1);
  expect(second.ending).toMatchObject({ verdict: "blocked", tasks_executed: 0, has_blocking_issues: true });
  expect(left(pull)).toEqual(before);
});

test.each(["on the same head", "after a harmless push"])(
  "a blocker blocks all the same after somebody has deleted every comment of Drover, %s",
  async (when) => {
    const pull = await world.openPull(badChange);
    expect((await runJson(pull)).code).toBe(1);
    const { sandbox, people } = world.forge;
    const { comments, threads } = sandbox.look(pull);
    for (const { id } of [...comments, ...threads.flatMap((thread) => thread.comments)]) {
      await sandbox.as(people.mia).deleteComment(pull, id);
    }
    if (when === "after a harmless push") {
      const { branch } = sandbox.look(pull).pull.head;
      await sandbox.as(people.ada).push({ repository: pull.repository, branch, changes: goodChange, message: "Quiet" });
    }
    const { code, ending } = await runJson(pull);
    expect({ code, verdict: ending.verdict }).toEqual({ code: 1, verdict: "blocked" });
    expect(sandbox.look(pull).reviews.every(({ state }) => state !== "approved")).toBe(true);
  },
);

test("a task that fails for another reason than before changes its one comment, and says there that it was solved", async () => {
  const pull = await world.openPull(badChange);
  const failedWith = async (fault: SandboxFault): Promise<readonly string[]> => {
    world.spoil(({ endpoint, isWrite }) => (isWrite && endpoint.includes("review") ? fault : null));
    expect((await runJson(pull, ["--timeout", "20s"])).ending.verdict).toBe("failed");
    world.spoil(() => null);
    const { comments } = world.forge.sandbox.look(pull);
    return comments.map(({ body }) => body).filter((body) => body.includes("in the log"));
  };
  const first = await failedWith({ kind: "server_error", isApplied: false });
  const second = await failedWith({ kind: "expired_token" });
  expect([first.length, second.length]).toEqual([1, 1]);
  expect(second).not.toEqual(first);
  await runJson(pull);
  const { comments } = world.forge.sandbox.look(pull);
  const last = comments.map(({ body }) => body).filter((body) => body.includes("in the log"));
  expect(last).toEqual([expect.stringContaining("**Solved:**")]);
});

test("jobs with a name for their gate each do not set the gate of the other", async () => {
  const pull = await world.openPull(goodChange);
  const { url } = world.forge;
  const named = `forges: [{ kind: sandbox, name: sandbox, url: "${url}", token: { env: DROVER_SANDBOX_TOKEN }, repositories: [], gateName: drover/two }]`;
  const gates = (): readonly string[] => world.forge.sandbox.look(pull).gates.map(({ words }) => words);
  expect((await runJson(pull)).code).toBe(0);
  const own = gates();
  expect((await runJson(pull, ["--config", "c.yml"], { "c.yml": `${named}\n` })).code).toBe(0);
  expect(gates().length).toBeGreaterThan(own.length);
  const both = gates();
  await runJson(pull);
  await runJson(pull, ["--config", "c.yml"], { "c.yml": `${named}\n` });
  expect(gates()).toEqual(both);
});

test("a clean pull passes, and people read what was done", async () => {
  const pull = await world.openPull(goodChange);
  const { code, out } = await world.drover(["run", "--pull", String(pull.number)]);
  expect(code).toBe(0);
  expect(out).toContain("start the general review");
  expect(out).toContain(`acme/tools#${pull.number}: passed\ntasks:\n  review (general, automatic): done`);
});

test("a review that somebody asked for informs, and does not fail the run", async () => {
  const pull = await world.openPull(badChange);
  const rita = world.forge.sandbox.as(world.forge.people.rita);
  await rita.comment(pull, "@drover disable-reviews");
  await nextSecond();
  expect((await runJson(pull)).code).toBe(0);
  await rita.comment(pull, "@drover review");
  await nextSecond();
  const { code, ending } = await runJson(pull);
  expect(ending.tasks).toEqual([{ kind: "review", trigger: "manual", result: "done" }]);
  expect({ code, verdict: ending.verdict, blocks: ending.has_blocking_issues }).toEqual({
    code: 0,
    verdict: "informational",
    blocks: true,
  });
});

test.each(["ada", "rita"] as const)("a red job stays red when %s asks for a review and runs it again", async (who) => {
  const pull = await world.openPull(badChange);
  expect((await runJson(pull)).code).toBe(1);
  await nextSecond();
  await world.forge.sandbox.as(world.forge.people[who]).comment(pull, "@drover review");
  await nextSecond();
  const { code, ending } = await runJson(pull);
  expect(ending.tasks).toEqual([{ kind: "review", trigger: "manual", result: "done" }]);
  expect({ code, verdict: ending.verdict }).toEqual({ code: 1, verdict: "blocked" });
});

test("a run that begins anew with another secret does not believe the notes of the one before", async () => {
  const pull = await world.openPull(goodChange);
  await runJson(pull);
  const { ending } = await runJson(pull);
  expect(ending.tasks_executed).toBe(0);
  const stranger = await world.drover(["run", "--pull", String(pull.number), "--anew", "--json"], {
    env: { DROVER_SECRET: "11".repeat(32) },
  });
  expect(Ending.parse(JSON.parse(stranger.out)).tasks_executed).toBe(1);
});

test("the pull of a fork is read and judged, and nothing is written", async () => {
  const pull = await world.openPull(badChange);
  const event = {
    repository: { full_name: "acme/tools" },
    pull_request: {
      number: pull.number,
      head: { repo: { full_name: "eve/tools" } },
      base: { repo: { full_name: "acme/tools" } },
    },
  };
  const files = { "event.json": JSON.stringify(event) };
  const { code, ending, err } = await runJson(pull, ["--event", "event.json"], files);
  expect({ code, verdict: ending.verdict, isReadOnly: ending.is_read_only }).toEqual({
    code: 1,
    verdict: "blocked",
    isReadOnly: true,
  });
  expect(ending.troubles).toEqual([]);
  expect(ending.findings).toMatchObject([{ path: "src/loud.ts", is_blocking: true }]);
  expect(err).toContain("comes from a fork");
  expect(left(pull)).toEqual({ reviews: 0, comments: 0 });
});

test("a run that is out of time says so on the pull, and the next one goes on where it ended", async () => {
  const pull = await world.openPull(badChange);
  // Nobody knows whether the review was posted, and it takes longer than the run has to find out.
  world.spoil(({ endpoint, isWrite }) =>
    isWrite && endpoint.includes("review") ? { kind: "server_error", isApplied: true } : null,
  );
  const { code, ending, err } = await runJson(pull, ["--timeout", "20s"]);
  world.spoil(() => null);
  expect({ code, verdict: ending.verdict }).toEqual({ code: 1, verdict: "failed" });
  expect(ending.troubles.some((trouble) => trouble.startsWith("the run ended early: "))).toBe(true);
  const said = world.forge.sandbox.look(pull).comments.map(({ body }) => body);
  expect(said.filter((body) => body.includes("**A run on"))).toHaveLength(1);
  const id = /`([0-9a-f]{10})` in the log/.exec(said.join())?.[1] ?? "no id";
  expect(err).toContain(id);
  const next = await runJson(pull);
  const taken = world.forge.sandbox.look(pull).comments.map(({ body }) => body);
  expect(taken.filter((body) => body.includes(id))).toEqual([expect.stringContaining("**Solved:**")]);
  expect({ code: next.code, verdict: next.ending.verdict, ...left(pull) }).toMatchObject({
    code: 1,
    verdict: "blocked",
    reviews: 1,
  });
});

test("an approved pull is merged where the configuration says so", async () => {
  const pull = await world.openPull(goodChange);
  const { people, sandbox } = world.forge;
  const files = { "c.yml": "rules: { merge: { when: when_approved, requireCI: false } }" };
  await runJson(pull, ["--config", "c.yml"], files);
  await nextSecond();
  await sandbox.as(people.rita).review(pull, { event: "approve", body: "Good." });
  const { code, ending } = await runJson(pull, ["--config", "c.yml"], files);
  expect({ code, tasks: ending.tasks.map(({ kind }) => kind) }).toEqual({ code: 0, tasks: ["merge"] });
});

function wrong(called: Called): { readonly code: number; readonly out: string } {
  return { code: called.code, out: called.out };
}

test.each([
  ["a forge without its token", ["--forge", "gitea"], "GITEA_TOKEN is not set"],
  ["a number that is none", ["--pull", "x"], "--pull x: expected the number of a pull"],
  ["a span that is none", ["--timeout", "soon"], "--timeout soon: expected a duration"],
  ["a configuration that is not there", ["--config", "no.yml"], "the configuration no.yml cannot be read"],
  ["a configuration that is wrong", ["--config", "bad.yml"], 'there is no key "rule"; is "rules" meant?'],
])("drover run refuses %s with code 2 and says what to do", async (_, args, words) => {
  const called = await world.drover(["run", "--pull", "1", ...args], {
    files: { "bad.yml": "rule: {}" },
    isPlaceFirst: true,
  });
  expect(wrong(called)).toEqual({ code: 2, out: "" });
  expect(called.err).toContain(words);
});

test("a pull that does not exist fails the run and says so", async () => {
  const called = await world.drover(["run", "--pull", "999", "--json"]);
  expect(called.code).toBe(1);
  expect(Ending.parse(JSON.parse(called.out))).toMatchObject({ verdict: "failed", tasks_executed: 0 });
});

test("a comment on an issue is nothing to do", async () => {
  const files = { "event.json": JSON.stringify({ issue: { number: 3 } }) };
  const { code, out } = await world.drover(["run", "--event", "event.json"], { files });
  expect({ code, out }).toEqual({ code: 0, out: "#3 is an issue, not a pull: nothing to do\n" });
});
