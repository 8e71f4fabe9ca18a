import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, inject, test } from "vitest";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { aReviewer, unsafeFinder } from "#testing/review-makers.ts";
import { buildRealHarness, type RealHarness, type RealHarnessOptions } from "./real-harness.ts";

const version = inject("giteaVersion") ?? "";

const harnesses: RealHarness[] = [];
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.close();
});

async function harnessWith(options: RealHarnessOptions): Promise<RealHarness> {
  const harness = await buildRealHarness(version, options);
  harnesses.push(harness);
  return harness;
}

const roles: NonNullable<RealHarnessOptions["rules"]> = {
  reviews: {
    roles: [
      { name: "general", reviewer: "rules" },
      { name: "security", reviewer: "model" },
    ],
  },
  approval: { pollMs: 3_600_000 },
};

/** Finds something wherever a line says `unsafe`; `meanwhile` happens before it has come to a conclusion. */
function securityReviewer(meanwhile: () => Promise<void> = async () => undefined): Reviewer {
  return aReviewer(async (job) => {
    await meanwhile();
    return await unsafeFinder().review(job);
  });
}

/** Looks at the reviews all the while, as somebody does who merges whatever is approved. */
function watch(harness: RealHarness, pull: PullRef): { readonly stop: () => Promise<readonly string[]> } {
  const seen = new Set<string>();
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      for (const { state } of (await harness.look(pull)).reviews) seen.add(state);
      await sleep(20);
    }
  })();
  // A look that fails is told by `stop`, and not before.
  watching.catch(() => undefined);
  return {
    stop: async () => {
      ending.abort();
      await watching;
      return [...seen];
    },
  };
}

/** Every event word that Drover ever sent with a review. */
function eventsSent({ requests }: RealHarness): readonly string[] {
  return requests
    .filter(({ method, path }) => method === "POST" && /\/reviews(?:\/\d+)?$/.test(path))
    .map(({ body }) => /"event":"([A-Z_]*)"/.exec(body)?.[1] ?? "none");
}

describe(`two roles with one token on a real Gitea ${version}`, () => {
  test("where one of them objects, no approval was ever to be seen, nor sent", async () => {
    const harness = await harnessWith({ rules: roles, model: securityReviewer() });
    const pull = await harness.open({ "src/lexer.ts": "export const words = 'unsafe';\n" });
    const watcher = watch(harness, pull);
    await harness.settle(pull);
    const { reviews, gates } = await harness.look(pull);
    expect(reviews.map(({ state }) => state)).toEqual(["changes_requested", "changes_requested"]);
    expect(await watcher.stop()).not.toContain("approved");
    // Reviews are never deleted: what was sent is what there ever was.
    expect(new Set(eventsSent(harness))).toEqual(new Set(["REQUEST_CHANGES"]));
    expect(gates.at(-1)?.state).toBe("failure");
    expect(gates.map(({ state }) => state)).not.toContain("success");
  });

  test("where both are content, each says so in a review of its own", async () => {
    const harness = await harnessWith({ rules: roles, model: securityReviewer() });
    const pull = await harness.open({ "src/lexer.ts": "export const words = 1;\n" });
    await harness.settle(pull);
    const { reviews, gates } = await harness.look(pull);
    expect(reviews.map(({ state }) => state)).toEqual(["approved", "approved"]);
    expect(gates.at(-1)?.state).toBe("success");
  });

  test("a push in the middle of a review: nothing is approved that nobody read, and the new head is judged", async () => {
    let pushed = false;
    const harness: RealHarness = await harnessWith({
      rules: roles,
      model: securityReviewer(async () => {
        if (pushed) return;
        pushed = true;
        await harness.push(pull, { "src/lexer.ts": "export const words = 'unsafe';\n" });
      }),
    });
    const pull = await harness.open({ "src/lexer.ts": "export const words = 1;\n" });
    await harness.settle(pull);
    await harness.settle(pull);
    const { reviews, gates, pull: seen } = await harness.look(pull);
    expect(reviews.map(({ state }) => state)).not.toContain("approved");
    expect(reviews.at(-1)).toMatchObject({ state: "changes_requested", commit: seen.head.sha });
    expect(gates.filter(({ state }) => state === "success")).toEqual([]);
    expect(gates.at(-1)).toMatchObject({ head: seen.head.sha, state: "failure" });
  });
});
