import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AccountId } from "#core/model/ids.ts";
import { readChecks } from "#forges/github/github-checks.ts";
import { gateCheckRun, gateStatus } from "#forges/github/github-gate.ts";
import { ContextNode } from "#forges/github/github-schema.ts";
import { somePull as pull, sha } from "#testing/makers.ts";

const head = sha(1);
const identity = { bot: { id: AccountId.parse("9"), login: "drover[bot]", kind: "bot" }, appId: "99" } as const;

function aRun(change: Readonly<Record<string, unknown>> = {}): ContextNode {
  return ContextNode.parse({
    type: "CheckRun",
    name: "build",
    status: "COMPLETED",
    conclusion: "SUCCESS",
    startedAt: "2026-01-01T09:00:00Z",
    summary: "Words.",
    checkSuite: { id: "CS_1", app: { databaseId: 15, slug: "github-actions" }, workflowRun: null },
    ...change,
  });
}

function aStatus(change: Readonly<Record<string, unknown>> = {}): ContextNode {
  const creator = { type: "User", login: "rita", databaseId: 5 };
  const createdAt = "2026-01-01T09:00:00Z";
  return ContextNode.parse({
    type: "StatusContext",
    context: "ci",
    state: "SUCCESS",
    description: null,
    createdAt,
    creator,
    ...change,
  });
}

function stateOf(context: ContextNode): string | undefined {
  return readChecks([context], { head, identity }).checks[0]?.state;
}

function aJob(event: string, name: string): ContextNode {
  const app = { databaseId: 15, slug: "github-actions" };
  return aRun({ checkSuite: { id: "CS_2", app, workflowRun: { event, workflow: { name } } } });
}

function shownBeside(run: ContextNode): readonly string[] {
  const job = { workflow: "Drover", id: "review" };
  return readChecks([run], { head, identity: { ...identity, job } }).checks.map(({ name }) => name);
}

function aReview(workflow: string, change: Readonly<Record<string, unknown>> = {}): ContextNode {
  const app = { databaseId: 15, slug: "github-actions" };
  const workflowRun = { event: "pull_request", workflow: { name: workflow } };
  return aRun({ name: "review", checkSuite: { id: "CS_4", app, workflowRun }, conclusion: "CANCELLED", ...change });
}

const own = { id: "CS_3", app: { databaseId: 99, slug: "drover" }, workflowRun: null };

describe("the check of a job", () => {
  it("that we run in is none of the checks, nor are those of its earlier runs", () => {
    expect(shownBeside(aReview("Drover"))).toEqual([]);
    expect(shownBeside(aReview("Drover", { status: "IN_PROGRESS", conclusion: null }))).toEqual([]);
  });

  it("of another job, another workflow, another App, or of who knows which workflow, is one", () => {
    expect(shownBeside(aReview("Drover", { name: "test" }))).toEqual(["test"]);
    expect(shownBeside(aReview("CI"))).toEqual(["review"]);
    const unknown = { id: "CS_5", app: { databaseId: 15, slug: "github-actions" }, workflowRun: null };
    expect(shownBeside(aReview("", { checkSuite: unknown }))).toEqual(["review"]);
    expect(shownBeside(aReview("", { checkSuite: { ...unknown, app: { databaseId: 16, slug: "ci" } } }))).toEqual([
      "review",
    ]);
  });
});

describe("a check run", () => {
  it.each([
    ["SUCCESS", "passed"],
    ["NEUTRAL", "passed"],
    ["SKIPPED", "passed"],
    ["FAILURE", "failed"],
    ["TIMED_OUT", "failed"],
    ["CANCELLED", "failed"],
    ["ACTION_REQUIRED", "failed"],
    ["STARTUP_FAILURE", "failed"],
    ["STALE", "pending"],
    ["A_NEW_WORD", "pending"],
  ])("that ended with %s has %s", (conclusion, state) => {
    expect(stateOf(aRun({ conclusion }))).toBe(state);
  });

  it.each(["QUEUED", "IN_PROGRESS", "WAITING", "REQUESTED", "A_NEW_WORD"])("that is %s is pending", (status) => {
    expect(stateOf(aRun({ status, conclusion: null }))).toBe("pending");
  });

  it("of one name in two workflows, or after two events, is two checks", () => {
    const contexts = [aJob("push", "CI"), aJob("pull_request", "CI"), aJob("push", "Release"), aJob("push", "CI")];
    const { checks } = readChecks(contexts, { head, identity });
    expect(new Set(checks.map(({ source }) => source)).size).toBe(3);
  });

  it("of our name is our gate only if our App made it, and the last one counts", () => {
    const others = aRun({ name: "drover" });
    expect(readChecks([others], { head, identity })).toMatchObject({ gate: null, checks: [{ name: "drover" }] });
    const first = aRun({ name: "drover", checkSuite: own, conclusion: "SUCCESS" });
    const second = aRun({ name: "drover", checkSuite: own, conclusion: "FAILURE" });
    const { gate, checks } = readChecks([others, first, second], { head, identity });
    expect([gate?.state, checks.length]).toEqual(["failure", 1]);
    const renamed = { ...identity, gateName: "drover/security" };
    expect(readChecks([first], { head, identity: renamed })).toMatchObject({
      gate: null,
      checks: [{ name: "drover" }],
    });
  });

  it("of ours that was made last counts, wherever GitHub lists it", () => {
    const first = aRun({ name: "drover", checkSuite: own, conclusion: "SUCCESS" });
    const startedAt = "2026-01-01T09:00:05Z";
    const second = aRun({ name: "drover", checkSuite: own, conclusion: "FAILURE", startedAt });
    expect(readChecks([second, first], { head, identity }).gate?.state).toBe("failure");
  });

  it.each(["0001-01-01T00:00:00Z", "soon"])("that says it began at %s is a check without a beginning", (startedAt) => {
    expect(readChecks([aRun({ startedAt })], { head, identity }).checks).toMatchObject([{ startedAt: null }]);
  });

  it("of ours that somebody cancelled is no success", () => {
    const cancelled = aRun({ name: "drover", checkSuite: own, conclusion: "CANCELLED" });
    expect(readChecks([cancelled], { head, identity }).gate?.state).toBe("failure");
  });
});

describe("a status", () => {
  it.each([
    ["SUCCESS", "passed"],
    ["FAILURE", "failed"],
    ["ERROR", "failed"],
    ["PENDING", "pending"],
    ["EXPECTED", "pending"],
  ])("that is %s has %s", (state, expected) => {
    expect(stateOf(aStatus({ state }))).toBe(expected);
  });

  it("of our name is our gate only if our account made it", () => {
    const others = aStatus({ context: "drover" });
    expect(readChecks([others], { head, identity }).gate).toBeNull();
    const creator = { type: "Bot", login: "drover", databaseId: 9 };
    const ours = aStatus({ context: "drover", creator, description: "neutral: Not read." });
    expect(readChecks([ours], { head, identity }).gate).toEqual({ head, state: "neutral", words: "Not read." });
  });
});

describe("the words of a gate", () => {
  const anyWords = fc.string({ unit: "grapheme", maxLength: 400 });

  it("fit, whatever they are, and are cut between characters", () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const request = { pull, head, state: "neutral", words } as const;
        const { description } = gateStatus("drover", request);
        const { output } = gateCheckRun("drover", request);
        const texts = [String(description), output.title];
        expect(texts.map(({ length }) => length <= 255)).toEqual([true, true]);
        expect(texts[0]?.length).toBeLessThanOrEqual(140);
        expect(texts.filter((text) => /\p{Cs}/u.test(text))).toEqual([]);
      }),
    );
  });
});
