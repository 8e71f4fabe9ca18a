// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { dieAtEveryBoundary, quiet } from "#harness/every-boundary.ts";
import { busyWhile, type Fate } from "#harness/fate.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botComments, botWords, managedComments } from "#harness/sights.ts";
import type { Agent, SessionJob, SessionOutcome } from "#ports/agent.ts";
import type { Clock } from "#ports/clock.ts";
import { type Git, GitError, type Mirror } from "#ports/git.ts";
import type { LogFacts } from "#ports/log.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { MemoryGit } from "#testing/memory-git/memory-git.ts";

const onFeedback: NonNullable<HarnessOptions["rules"]> = {
  fix: { onFeedback: true, quietMs: 0 },
  approval: { pollMs: 5 * minuteMs },
};

/** What the agent was given, session by session, and how far it has come. */
interface Diary {
  readonly given: string[][];
  working: number;
}

/** Takes note of what it is given and writes it down in a file, for some time. */
function scribe(
  diary: Diary,
  { ms, clock }: { readonly ms: number; readonly clock: () => Clock },
): NonNullable<HarnessOptions["agent"]> {
  return (git: MemoryGit): Agent => ({
    run: async (job: SessionJob): Promise<SessionOutcome> => {
      diary.given.push(job.feedback.map(({ body }) => body));
      diary.working++;
      if (ms > 0) await clock().sleep(ms, job.signal);
      diary.working--;
      const addressed = job.feedback.map(({ id }) => id);
      git.findFolder(job.workspace)?.write("NOTES.md", `${diary.given.length}\n`);
      return { kind: "changed", summary: "Done.", addressed, notAddressed: [], costMicroUsd: 100 };
    },
  });
}

async function buildScribe(
  options: HarnessOptions & { readonly ms?: number },
): Promise<{ readonly harness: Harness; readonly diary: Diary; readonly fate: Fate }> {
  const diary: Diary = { given: [], working: 0 };
  const fate = busyWhile(() => diary.working > 0);
  const { ms = 0, ...others } = options;
  const harness: Harness = await buildHarness({
    rules: onFeedback,
    fate,
    agent: scribe(diary, { ms, clock: () => harness.clock }),
    ...others,
  });
  return { harness, diary, fate };
}

/** Mia may write, so that her branch is one to which Drover can push. */
async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open({ by: harness.mia });
  await harness.settle();
  return pull;
}

/** Pushes of the bot's own, as the forge saw them. */
function pushes(harness: Harness): readonly string[] {
  return harness.sandbox.history.flatMap(({ by, what }) =>
    what.kind === "pushed" && by.id === harness.bot.id && what.branch === "work" ? [what.to] : [],
  );
}

/** A git whose pushes go wrong in this way, once. */
function brokenPush(
  breaks: (mirror: Mirror, request: Parameters<Mirror["push"]>[0]) => ReturnType<Mirror["push"]>,
): (git: Git) => Git {
  let isBroken = true;
  const around = (mirror: Mirror): Mirror => ({
    ...mirror,
    push: (request) => {
      if (!isBroken) return mirror.push(request);
      isBroken = false;
      return breaks(mirror, request);
    },
  });
  return (git) => ({
    ...git,
    ensureMirror: async (request) => around(await git.ensureMirror(request)),
    findMirror: async (key) => {
      const mirror = await git.findMirror(key);
      return mirror === undefined ? undefined : around(mirror);
    },
  });
}

describe.each(manners)("feedback on a %s", (manner) => {
  it("that arrives while a session runs is not lost: it is the next session's", async () => {
    const { harness, diary, fate } = await buildScribe({ manner, ms: 40 * secondMs });
    harness.hire({}, fate);
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(20 * secondMs);
    expect(diary.working).toBe(1);
    await harness.as(harness.rita).comment(pull, "And sign them.");
    await harness.pass(10 * minuteMs);
    expect(diary.given).toEqual([["Please add notes."], ["And sign them."]]);
    expect(pushes(harness)).toHaveLength(2);
    expect(botWords(harness, pull)).toHaveLength(2);
  });

  it("of nobody starts a session where the list of people is empty", async () => {
    const { harness, diary } = await buildScribe({
      manner,
      rules: { fix: { onFeedback: true, quietMs: 0, allowedUsers: { kind: "listed", people: [] } } },
    });
    const pull = await opened(harness);
    for (const who of [harness.rita, harness.ada, harness.otto])
      await harness.as(who).comment(pull, "Please change it.");
    await harness.as(harness.rita).review(pull, { event: "request_changes", body: "No." });
    await harness.pass(5 * minuteMs);
    expect(diary.given).toEqual([]);
  });

  it("of strangers starts none by default", async () => {
    const { harness, diary } = await buildScribe({ manner });
    const pull = await opened(harness);
    await harness.as(harness.otto).comment(pull, "Please add my advertisement.");
    await harness.pass(5 * minuteMs);
    expect(diary.given).toEqual([]);
  });

  it("is not worked on where nobody switched it on", async () => {
    const { harness, diary } = await buildScribe({ manner, rules: {} });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please change it.");
    await harness.pass(5 * minuteMs);
    expect(diary.given).toEqual([]);
  });
});

describe.each(manners)("a session's push on a %s", (manner) => {
  it("whose answer was lost is found on the branch, and told of once", async () => {
    const git = brokenPush(async (mirror, request) => {
      await mirror.push(request);
      throw new GitError("timeout", "no answer");
    });
    const { harness, diary } = await buildScribe({ manner, git });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(10 * minuteMs);
    expect(diary.given).toHaveLength(1);
    expect(pushes(harness)).toEqual([harness.headOf(pull)]);
    expect(botWords(harness, pull)).toHaveLength(1);
  });

  it("that only looked like one is not reported before the branch is the new commit", async () => {
    const git = brokenPush(async () => ({ kind: "unknown", why: "not_seen" }));
    const { harness } = await buildScribe({ manner, git });
    const pull = await opened(harness);
    const before = harness.headOf(pull);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(10 * secondMs);
    expect(harness.headOf(pull)).toBe(before);
    expect(botWords(harness, pull)).toHaveLength(0);
    await harness.pass(10 * minuteMs);
    expect(pushes(harness)).toEqual([harness.headOf(pull)]);
    expect(botWords(harness, pull)).toHaveLength(1);
  });

  it("does not overwrite what somebody pushed while the agent was at work, and that uses up no attempt", async () => {
    const rules = { ...onFeedback, fix: { ...onFeedback.fix, attemptsMax: 1 } };
    const { harness, diary, fate } = await buildScribe({ manner, ms: 40 * secondMs, rules });
    harness.hire({}, fate);
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(10 * secondMs);
    const theirs = await harness.push(pull, { "src/lexer.ts": "export const words = 14;\n" }, harness.mia);
    await harness.pass(minuteMs);
    expect(pushes(harness)).toHaveLength(0);
    await harness.pass(10 * minuteMs);
    expect(diary.given.length).toBeGreaterThan(1);
    expect(
      harness.sandbox.history.filter(({ what }) => what.kind === "head_changed" && what.from === theirs),
    ).toHaveLength(1);
  });

  it("does not come any more when somebody says stop", async () => {
    const { harness, diary, fate } = await buildScribe({ manner, ms: 5 * minuteMs });
    harness.hire({}, fate);
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(10 * secondMs);
    expect(diary.working).toBe(1);
    await harness.as(harness.rita).comment(pull, "@drover stop-fixing");
    await harness.pass(10 * minuteMs);
    expect(pushes(harness)).toHaveLength(0);
    expect(diary.given).toHaveLength(1);
  });

  it("is made and told of once when the worker dies at any boundary", async () => {
    const diary: Diary = { given: [], working: 0 };
    await dieAtEveryBoundary(
      {
        options: {
          manner,
          rules: { ...quiet, fix: { onFeedback: true, quietMs: 0 } },
          agent: scribe(diary, {
            ms: 0,
            clock: () => {
              throw new Error("it does not sleep");
            },
          }),
        },
        before: opened,
        after: (harness, pull) => harness.as(harness.rita).comment(pull, "Please add notes."),
        check: (harness, pull) => {
          expect(pushes(harness)).toEqual([harness.headOf(pull)]);
          expect(botWords(harness, pull)).toHaveLength(1);
        },
      },
      { every: 3 },
    );
  });
});

describe.each(manners)("a session on a %s", (manner) => {
  it("that pushes without a word about a remark leaves it open, says so, and tries it again", async () => {
    const given: string[][] = [];
    const harness = await buildHarness({
      manner,
      rules: onFeedback,
      agent: (git) => ({
        run: async ({ feedback, workspace }) => {
          given.push(feedback.map(({ body }) => body));
          git.findFolder(workspace)?.write("NOTES.md", `${given.length}\n`);
          const addressed = feedback.slice(0, 1).map(({ id }) => id);
          return { kind: "changed", summary: "Done.", addressed, notAddressed: [], costMicroUsd: 10 };
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.as(harness.rita).comment(pull, "And sign them.");
    await harness.pass(20 * minuteMs);
    expect(given).toEqual([["Please add notes.", "And sign them."], ["And sign them."]]);
    expect(botWords(harness, pull)[0]).toContain("The agent did not report a result for it.");
  });

  it("whose pull is closed under it ends with one word about what is dropped", async () => {
    const { harness, diary, fate } = await buildScribe({ manner, ms: 5 * minuteMs });
    harness.hire({}, fate);
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(10 * secondMs);
    expect(diary.working).toBe(1);
    await harness.as(harness.mia).editPull(pull, { state: "closed" });
    await harness.pass(20 * minuteMs);
    expect(pushes(harness)).toHaveLength(0);
    expect(botWords(harness, pull).filter((body) => body.includes("its work is dropped"))).toHaveLength(1);
  });

  it("that is refused says why on the pull and in the log, and calls people with the reason", async () => {
    const logged: [LogFacts, string][] = [];
    const harness = await buildHarness({
      manner,
      rules: { ...onFeedback, humans: ["ada"] },
      parts: ({ log }) => ({ log: { ...log, warn: (facts, message) => void logged.push([facts, message]) } }),
      agent: (git) => ({
        run: async ({ feedback, workspace }) => {
          git.findFolder(workspace)?.write(".github/workflows/ci.yml", "on: push\n");
          const addressed = feedback.map(({ id }) => id);
          return { kind: "changed", summary: "Done.", addressed, notAddressed: [], costMicroUsd: 10 };
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(30 * minuteMs);
    const why = "The change was refused: .github/workflows/ci.yml is protected.";
    expect(botWords(harness, pull).filter((body) => body.includes("@ada") && body.includes(why))).toHaveLength(1);
    expect(managedComments(harness, pull)[0]?.body).toContain(why.slice(0, -1));
    // Once for each of the three attempts, with where to look and why.
    const ends = logged.filter(([, message]) => message === "a session ended without a result").map(([facts]) => facts);
    const place = {
      pull: pullKeyOf(harness.dependencies.instance, pull),
      purpose: "feedback",
      head: harness.headOf(pull),
    };
    expect(ends).toMatchObject(Array.from({ length: 3 }, () => ({ ...place, end: "failed", why })));
  });

  it("that pushes is told in the log as ended, and not as a failure", async () => {
    const logged: string[] = [];
    const { harness } = await buildScribe({
      manner,
      parts: ({ log }) => ({
        log: {
          ...log,
          info: (facts, message) => void logged.push(`${message}: ${String(facts["end"])}`),
          warn: (_, message) => void logged.push(message),
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(10 * minuteMs);
    expect(logged.filter((line) => line.startsWith("a session"))).toEqual(["a session has ended: pushed"]);
  });
});

describe.each(manners)("an agent beside a %s", (manner) => {
  it("that fails again and again is given up, and people are called once", async () => {
    let runs = 0;
    const harness = await buildHarness({
      manner,
      rules: { fix: { onFeedback: true, quietMs: 0 }, humans: ["ada"] },
      agent: () => ({
        run: async () => {
          runs++;
          return { kind: "failed", why: "it fell over", retryAt: null, costMicroUsd: 10 };
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(30 * minuteMs);
    expect(runs).toBe(3);
    const calls = botComments(harness, pull).filter(({ body }) => body.includes("@ada"));
    expect(calls).toHaveLength(1);
    expect(harness.notices.filter(({ what }) => what.kind === "escalated")).toHaveLength(1);
  });

  it("that makes the same change again is stalled, not pushed for ever", async () => {
    const harness = await buildHarness({
      manner,
      rules: { fix: { onFeedback: true, quietMs: 0 }, humans: ["ada"] },
      agent: () => ({
        run: async ({ feedback }) => ({
          kind: "changed",
          summary: "I have fixed it, believe me.",
          addressed: feedback.map(({ id }) => id),
          notAddressed: [],
          costMicroUsd: 10,
        }),
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "Please add notes.");
    await harness.pass(30 * minuteMs);
    expect(pushes(harness)).toHaveLength(0);
    expect(botComments(harness, pull).filter(({ body }) => body.includes("@ada"))).toHaveLength(1);
  });
});
