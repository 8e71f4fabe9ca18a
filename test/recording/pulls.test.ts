import { expect, test } from "vitest";
import { z } from "zod";
import { RepositoryId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { ScriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";
import { recordedServer } from "./recorded-server.ts";
import { findRecording, type Recording } from "./recording.ts";

const clock = stillClock(0);
const repository = { id: RepositoryId.parse("3"), name: "dev/rec88297" };
const pullOf = (number: number): PullRef => ({ repository, number });

/** The heads of the first pull: as opened, pushed, pushed by force. */
const heads = {
  opened: "e0f582e185566608150c28bbeaaba1540c357bb8",
  pushed: "d3ba286b4a1c541ec96d5d837742281b7b25c6ba",
  forced: "7b02fe0b0d5c2686ffee9929fa9e8838c86a5f4b",
} as const;

const recording = await findRecording();

if (recording === undefined) absent();
else replay(recording);

/** Told on standard error too. */
function absent(): void {
  test("there is no recording here, so that no answer of one is replayed", () => {
    expect(recording).toBeUndefined();
  });
}

function replay(recorded: Recording): void {
  const at = (count: number): Forge => open(recorded, count).forge;

  test("a draft is one by its title, and whether it can be merged is not known", async () => {
    expect(await at(5).fetchPull(pullOf(1))).toMatchObject({
      pull: {
        title: "WIP: feat x",
        body: "Body **md**\n\n- a",
        author: { id: "2", login: "dev" },
        state: "open",
        isDraft: true,
        head: { sha: heads.opened, branch: "feat/x", isFork: false },
        base: { branch: "main" },
        mergeability: { kind: "unknown" },
      },
      headRef: "refs/pull/1/head",
      limitsReached: [],
    });
  });

  test("all that was said is there, and the text of a review that was edited is the new one", async () => {
    const seen = await at(36).fetchPull(pullOf(1));
    expect(seen.pull).toMatchObject({ title: "feat x", body: "new body", isDraft: false, head: { sha: heads.opened } });
    expect(seen.pull.head.pushedAt).toBe(Date.parse("2026-11-15T21:39:51Z"));
    expect(seen.comments).toMatchObject([
      { id: "68", author: { login: "dev" }, body: "@bot review again", editedAt: Date.parse("2026-11-15T21:39:54Z") },
    ]);
    expect(seen.reviews).toMatchObject([{ id: "16", state: "commented", body: "Edited <!-- bot:1 -->" }]);
    expect(seen.threads.map(({ id, path, line }) => [id, path, line])).toEqual([
      ["69", "src/a.ts", 10],
      ["70", "src/a.ts", 40],
      ["71", "src/renamed file ü.ts", 5],
      ["72", "added.ts", 1],
      ["73", "del.txt", 1],
    ]);
    expect(seen.reactions).toMatchObject([{ author: { login: "bot" }, content: "rocket" }]);
    expect(seen.checks).toMatchObject([{ name: "bot/review", state: "pending", head: heads.opened }]);
    expect(seen.gate).toBeNull();
  });

  test("after two pushes each review has its state, and remarks that are nowhere in the diff are there", async () => {
    const seen = await at(44).fetchPull(pullOf(1));
    expect(seen.reviews.map(({ id, state, body, commit }) => [id, state, body, commit])).toEqual([
      ["16", "commented", "Edited <!-- bot:1 -->", heads.opened],
      ["17", "commented", "x", heads.opened],
      // Gitea calls it dismissed because of the verdict that came after it. Nobody had dismissed it when this was told.
      ["18", "changes_requested", "no", heads.opened],
      ["19", "approved", "", heads.forced],
    ]);
    expect(seen.threads.slice(5).map(({ path, line }) => [path, line])).toEqual([
      ["src/a.ts", 25],
      ["src/a.ts", 9999],
      ["nope.ts", 1],
    ]);
    expect(seen.pull.labels).toEqual(["bug"]);
    // The statuses of the head before say nothing about this one, and its push was not seen.
    expect(seen).toMatchObject({ checks: [], pull: { head: { sha: heads.pushed, pushedAt: null } } });
    expect((await at(50).fetchPull(pullOf(1))).pull.head.sha).toBe(heads.forced);
  });

  test("a merge and a fork are told, and a conflict is not believed at first sight", async () => {
    expect((await at(54).fetchPull(pullOf(1))).pull).toMatchObject({ state: "merged", head: { sha: heads.forced } });
    // A conflict, and a push that nobody has looked at yet, are told with the same no: only time tells them apart.
    expect((await at(55).fetchPull(pullOf(2))).pull).toMatchObject({
      state: "open",
      mergeability: { kind: "unknown" },
    });
    expect((await at(63).fetchPull(pullOf(3))).pull).toMatchObject({
      author: { login: "bot" },
      head: { isFork: true, branch: "forked" },
    });
  });

  test("a digest changes with what the list itself does not tell", async () => {
    const [first, later] = [await at(9).fetchOpenPulls(repository), await at(36).fetchOpenPulls(repository)];
    expect(first.map(({ pull }) => pull.number)).toEqual([1]);
    expect(later.map(({ pull }) => pull.number)).toEqual([1]);
    expect(later).not.toEqual(first);
    expect(await at(9).fetchOpenPulls(repository)).toEqual(first);
  });

  test("what is not there, and who is not known, are refusals of their kind", async () => {
    await expect(at(57).fetchPull(pullOf(9999))).rejects.toMatchObject({ kind: "not_found" });
    await expect(at(58).fetchRepository("dev/nope")).rejects.toMatchObject({ kind: "not_found" });
    await expect(at(61).fetchIdentity()).rejects.toMatchObject({ kind: "unauthorized", isApplied: "no" });
    expect(await at(60).fetchIdentity()).toMatchObject({ bot: { id: "3", login: "bot" } });
    expect(await at(60).fetchRepository("dev/rec88297")).toEqual(repository);
  });

  test("at every moment a look gives the head and the words that the last answer had, and asks for what was recorded", async () => {
    const heard = new Set<string>();
    for (let count = 4; count <= 60; count++) {
      const { forge, server } = open(recorded, count);
      const { pull } = await forge.fetchPull(pullOf(1));
      expect(pull).toMatchObject(lastTold(recorded, count));
      await forge.fetchOpenPulls(repository);
      for (const { path } of server.heard) heard.add(below(path));
    }
    expect(readPaths(recorded).filter((path) => !heard.has(path))).toEqual(unread);
  });
}

interface Opened {
  readonly forge: Forge;
  readonly server: ScriptedFetch;
}

function open(recorded: Recording, count: number): Opened {
  const server = recordedServer(recorded, count);
  const { fetch } = server;
  return { forge: createGiteaClient({ url: "http://127.0.0.1:3021", token: "t", clock, fetch }), server };
}

const Told = z.object({
  number: z.literal(1),
  title: z.string(),
  body: z.string(),
  head: z.object({ sha: z.string() }),
});

function lastTold({ calls }: Recording, count: number): z.infer<typeof Told> {
  const told = calls.slice(0, count).map(({ response }) => Told.safeParse(response.body));
  const last = told.findLast(({ success }) => success)?.data;
  if (last === undefined) throw new Error("nothing was told of the pull yet");
  return last;
}

/** Reads that succeeded, below the repository. */
function readPaths({ calls }: Recording): readonly string[] {
  const read = calls.filter(({ request, response }) => request.method === "GET" && response.status < 300);
  return [...new Set(read.map(({ request }) => below(request.path)))].sort();
}

function below(path: string): string {
  return new URL(path, "http://x").pathname.replace(/^\/api\/v1\/repos\/dev\/rec88297/, "");
}

/** Git tells of files; the lists and the timeline tell of reviews and comments; the second pull has a test of its own. */
const unread: readonly string[] = [
  "/contents/src/a.ts",
  "/git/trees/feat%2Fx",
  "/issues/comments/68/reactions",
  "/issues/comments/74",
  "/pulls/1.diff",
  "/pulls/1/commits",
  "/pulls/1/files",
  "/pulls/1/merge",
  "/pulls/1/reviews/16",
  "/pulls/1/reviews/18",
  "/pulls/2",
  "/raw/src/a.ts",
];
