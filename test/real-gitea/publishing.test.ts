import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { Review } from "#core/model/conversation.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { buildRealHarness, type RealHarness } from "./real-harness.ts";

const version = inject("giteaVersion") ?? "";

const clean = "export const words = 1;\n";
const blocker = "export function words() {\n  debugger;\n}\n";

let harness: RealHarness;
beforeEach(async () => {
  harness = await buildRealHarness(version);
});
afterEach(async () => {
  await harness.close();
});

async function ownReviews(pull: PullRef): Promise<readonly Review[]> {
  const { reviews } = await harness.look(pull);
  return reviews.filter(({ author }) => author.id === harness.people.drover.id);
}

async function opened(text: string): Promise<PullRef> {
  const pull = await harness.open({ "src/lexer.ts": text });
  await harness.settle(pull);
  return pull;
}

describe(`publishing on a real Gitea ${version}`, () => {
  test("the first review says its verdict, with its remark on the line, and the gate says the same", async () => {
    const pull = await opened(blocker);
    const { threads, gates, comments, pull: seen } = await harness.look(pull);
    const [review, ...others] = await ownReviews(pull);
    expect(others).toEqual([]);
    expect(review).toMatchObject({ state: "changes_requested", commit: seen.head.sha });
    expect(threads.map(({ path, line }) => [path, line])).toEqual([["src/lexer.ts", 2]]);
    expect(gates.at(-1)).toMatchObject({ head: seen.head.sha, state: "failure" });
    expect(comments.map(({ author }) => author.login)).toEqual(["drover"]);
  });

  test("the same verdict in the same words writes nothing at all", async () => {
    const pull = await opened(blocker);
    const mark = harness.requests.length;
    await harness.settle(pull);
    await harness.poll();
    expect(harness.requests.length).toBeGreaterThan(mark);
    expect(harness.writesSince(mark)).toEqual([]);
  });

  test("the same verdict in other words is an edit of the review, and its threads stay", async () => {
    const pull = await opened(blocker);
    const [before] = await ownReviews(pull);
    const [thread] = (await harness.look(pull)).threads;
    const mark = harness.requests.length;
    await harness.push(pull, { "src/other.ts": blocker });
    await harness.settle(pull);
    const judged = (await ownReviews(pull)).filter(({ state }) => state === "changes_requested");
    expect(judged.map(({ id }) => id)).toEqual([before?.id]);
    expect(judged[0]?.body).not.toBe(before?.body);
    const { threads } = await harness.look(pull);
    expect(threads.find(({ id }) => id === thread?.id)?.comments).toEqual(thread?.comments);
    expect(threads.some(({ path }) => path === "src/other.ts")).toBe(true);
    const writes = harness.writesSince(mark);
    expect(writes.some((write) => /^PATCH .*\/issues\/comments\/\d+$/.test(write))).toBe(true);
    expect(writes.filter((write) => write.startsWith("DELETE"))).toEqual([]);
  });

  test("an approval does not stand for what is pushed while reviews are switched off", async () => {
    const pull = await opened(clean);
    await harness.rita.comment(pull, "@drover disable-reviews");
    await harness.settle(pull);
    await harness.push(pull, { "src/lexer.ts": blocker });
    await harness.settle(pull);
    const [approval, ...others] = await ownReviews(pull);
    expect(others).toEqual([]);
    expect(approval?.state).toBe("dismissed");
    expect(approval?.body).toMatch(/superseded/i);
    const mark = harness.requests.length;
    await harness.settle(pull);
    expect(harness.writesSince(mark)).toEqual([]);
  });

  test("an approval that is no longer deserved is said to be superseded, then changes are requested", async () => {
    const pull = await opened(clean);
    expect((await ownReviews(pull)).map(({ state }) => state)).toEqual(["approved"]);
    const head = await harness.push(pull, { "src/lexer.ts": blocker });
    await harness.settle(pull);
    const [old, now, ...others] = await ownReviews(pull);
    expect(others).toEqual([]);
    expect(old?.body).toMatch(/superseded/i);
    expect(now).toMatchObject({ state: "changes_requested", commit: head });
    expect((await harness.look(pull)).gates.at(-1)).toMatchObject({ head, state: "failure" });
  });

  test("a request for changes that was met stays as it is, and the approval comes after it", async () => {
    const pull = await opened(blocker);
    const [before] = await ownReviews(pull);
    const head = await harness.push(pull, { "src/lexer.ts": clean });
    await harness.settle(pull);
    const judged = (await ownReviews(pull)).filter(({ state }) => state !== "commented");
    expect(judged.map(({ state }) => state)).toEqual(["changes_requested", "approved"]);
    expect(judged[0]?.body).toBe(before?.body);
    expect(judged[1]?.commit).toBe(head);
    expect((await harness.look(pull)).gates.at(-1)).toMatchObject({ head, state: "success" });
  });

  test("with the memory of everything lost, the pull alone is enough to write nothing twice", async () => {
    const pull = await opened(blocker);
    const before = await harness.look(pull);
    await harness.forget();
    await harness.settle(pull);
    const after = await harness.look(pull);
    expect(after.reviews).toEqual(before.reviews);
    expect(after.threads).toEqual(before.threads);
    expect(after.comments.map(({ id }) => id)).toEqual(before.comments.map(({ id }) => id));
  });
});
