import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { openScene, pushMore, remarks, type Scene } from "./scene.ts";
import { only } from "./seen.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

async function openBeside({ ada, repository }: Scene, branch: string): Promise<PullRef> {
  await ada.push({ repository, branch, changes: { [`${branch}.txt`]: `${branch}\n` }, message: branch });
  return ada.openPull({ repository, branch, base: "main", title: branch, body: "" });
}

const happenings: readonly (readonly [string, (scene: Scene) => Promise<unknown>])[] = [
  ["a push", (scene) => pushMore(scene)],
  ["a comment", ({ otto, pull }) => otto.comment(pull, "Hello.")],
  ["an approval", ({ rita, pull }) => rita.review(pull, { event: "approve", body: "Good." })],
  ["a remark", ({ rita, pull }) => rita.review(pull, { event: "comment", body: "Hm.", remarks: [remarks.added] })],
  ["an edit of the title", ({ ada, pull }) => ada.editPull(pull, { title: "Better" })],
  ["an edit of the description", ({ ada, pull }) => ada.editPull(pull, { body: "Better." })],
  ["becoming a draft", ({ ada, pull }) => ada.editPull(pull, { isDraft: true })],
  ["a label", ({ ada, pull }) => ada.editPull(pull, { labels: ["bug"] })],
];

describe.each(worlds)("open pulls on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  const digest = async (): Promise<string> => only(await scene.drover.fetchOpenPulls(scene.repository)).digest;

  it("are those that are open, in one repository", async () => {
    const { ada, mia, drover, repository, pull, world, people } = scene;
    const second = await openBeside(scene, "second");
    const third = await openBeside(scene, "third");
    const elsewhere = await world.createRepository({ name: "mia/other", by: people.mia, files: { a: "a\n" } });
    await world.setPermission({ repository: elsewhere, account: people.drover, permission: "write" });
    const open = async (): Promise<readonly number[]> =>
      (await drover.fetchOpenPulls(repository)).map((found) => found.pull.number).sort((a, b) => a - b);
    expect(await open()).toEqual([pull.number, second.number, third.number]);
    await ada.editPull(second, { state: "closed" });
    await world.settle(third);
    await mia.merge(third);
    expect(await open()).toEqual([pull.number]);
    await ada.editPull(second, { state: "open" });
    expect(await open()).toEqual([pull.number, second.number]);
    expect(await drover.fetchOpenPulls(elsewhere)).toEqual([]);
  });

  it("are all there when they fill several pages", async () => {
    // Where there is no time for hundreds, the pages are small.
    const count = having(entry, "hundreds").length > 0 ? 100 : 12;
    for (let index = 0; index < count; index++) await openBeside(scene, `branch-${index}`);
    const found = await scene.drover.fetchOpenPulls(scene.repository);
    expect(new Set(found.map(({ pull }) => pull.number)).size).toBe(count + 1);
  });

  it("have the digest that they had while nothing happens, however long", async () => {
    await scene.ada.comment(scene.pull, "Something.");
    await scene.world.settle(scene.pull);
    const before = await digest();
    await scene.seen();
    expect(await digest()).toBe(before);
    await scene.world.pass(30 * minuteMs);
    expect(await digest()).toBe(before);
  });

  it("do not change with what happens to another", async () => {
    const beside = await openBeside(scene, "beside");
    await scene.world.settle(beside);
    const digestHere = async (): Promise<string> => {
      const found = await scene.drover.fetchOpenPulls(scene.repository);
      return only(found.filter(({ pull }) => pull.number === scene.pull.number)).digest;
    };
    const before = await digestHere();
    await scene.world.pass(5 * secondMs);
    await scene.rita.comment(beside, "There.");
    expect(await digestHere()).toBe(before);
  });

  it.each(happenings)("have another digest after %s", async (_, happen) => {
    const before = await digest();
    await scene.world.pass(5 * secondMs);
    await happen(scene);
    expect(await digest()).not.toBe(before);
  });

  it.each([
    ["a comment", ({ otto, pull }: Scene): Promise<unknown> => otto.comment(pull, "Hello again.")],
    ["a push", (made: Scene): Promise<unknown> => pushMore(made)],
  ])("have another digest after %s within the second of the last change", async (_, happen) => {
    await scene.otto.comment(scene.pull, "Hello.");
    const before = await digest();
    await happen(scene);
    expect(await digest()).not.toBe(before);
  });

  it.each(having(entry, "digest_of_checks"))(
    "have another digest after the first and the next word of a check",
    async () => {
      const { rita, repository, head, world } = scene;
      const found = [await digest()];
      for (const state of ["pending", "failed", "passed"] as const) {
        await world.pass(5 * secondMs);
        await rita.report({ repository, commit: head, name: "build", state });
        found.push(await digest());
      }
      expect(new Set(found).size).toBe(4);
    },
  );

  it.each(having(entry, "digest_of_reactions"))(
    "have another digest after a reaction, and when it is taken back",
    async () => {
      const { rita, pull, world } = scene;
      const before = await digest();
      await world.pass(5 * secondMs);
      await rita.react(pull, "+1");
      const reacted = await digest();
      expect(reacted).not.toBe(before);
      await world.pass(5 * secondMs);
      await rita.unreact(pull, "+1");
      expect(await digest()).not.toBe(reacted);
    },
  );
});
