import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { type GithubHarness, openGithubHarness } from "./github-harness.ts";

describe("a merge that GitHub is to make itself", () => {
  let harness: GithubHarness;
  let pull: PullRef;
  let head: HeadSha;
  beforeEach(async () => {
    harness = await openGithubHarness();
    pull = await harness.openPull("one");
    head = harness.sandbox.look(pull).pull.head.sha;
  });
  afterEach(() => harness.close());

  it("goes into the queue of the base branch, once", async () => {
    harness.github.requireQueue(harness.repository, "main");
    const forge = harness.connect({ merging: "forge" });
    for (let time = 0; time < 2; time++) {
      expect(await forge.merge({ pull, head })).toEqual({ kind: "handed_over", to: "queue" });
    }
    const mutations = harness.github.requests.filter(({ isWrite }) => isWrite);
    expect(mutations).toHaveLength(1);
    expect(harness.sandbox.look(pull).merged).toBeNull();
  });

  it("goes nowhere when the head has moved", async () => {
    harness.github.requireQueue(harness.repository, "main");
    const { repository, mia } = harness;
    await mia.push({ repository, branch: "one", changes: { "b.txt": "b\n" }, message: "More" });
    const forge = harness.connect({ merging: "forge" });
    expect(await forge.merge({ pull, head })).toEqual({ kind: "head_moved" });
    expect(harness.github.requests.filter(({ isWrite }) => isWrite)).toEqual([]);
  });

  it("is made directly where there is no queue and nothing to wait for", async () => {
    expect(await harness.connect({ merging: "forge" }).merge({ pull, head })).toMatchObject({ kind: "merged" });
  });

  it("is made directly by default", async () => {
    expect(await harness.connect().merge({ pull, head })).toMatchObject({ kind: "merged" });
  });
});

describe("the gate of an App", () => {
  it("has all its annotations, fifty at a time", async () => {
    const harness = await openGithubHarness();
    const pull = await harness.openPull("one");
    const { sha: head } = harness.sandbox.look(pull).pull.head;
    const annotations = Array.from({ length: 120 }, (_, index) => ({
      path: "one.txt",
      lines: { first: 1, last: 1 },
      level: "warning" as const,
      words: `Number ${index}.`,
    }));
    await harness.connect().setGate({ pull, head, state: "failure", words: "A blocker.", annotations });
    const writes = harness.github.requests.filter(({ path }) => path.includes("/check-runs"));
    expect(writes.map(({ method, status }) => `${method} ${status}`)).toEqual(["POST 201", "PATCH 200", "PATCH 200"]);
    expect((await harness.connect().fetchPull(pull)).gate).toEqual({ head, state: "failure", words: "A blocker." });
    await harness.close();
  });
});
