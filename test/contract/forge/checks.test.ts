import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { openScene, pushMore, type Scene } from "./scene.ts";
import { fetchSeen, only } from "./seen.ts";
import { having, lacking } from "./world.ts";
import { worlds } from "./worlds.ts";

const manyWords = `Waiting: ${"a reason, ".repeat(40)}and another.`;

describe.each(worlds)("checks on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  const states = async (): Promise<readonly string[]> =>
    (await scene.seen()).checks.map(({ name, state }) => `${name} ${state}`).sort();

  it("are those of the head, with their latest word", async () => {
    const { rita, repository, head, world } = scene;
    await rita.report({ repository, commit: head, name: "build", state: "pending" });
    await rita.report({ repository, commit: head, name: "lint", state: "failed" });
    expect(await states()).toEqual(["build pending", "lint failed"]);
    await world.pass(5 * secondMs);
    await rita.report({ repository, commit: head, name: "build", state: "passed" });
    expect(await states()).toEqual(["build passed", "lint failed"]);
    expect((await scene.seen()).checks.every((check) => check.head === head)).toBe(true);
  });

  it("of an earlier head are not those of this one", async () => {
    const { rita, repository, head } = scene;
    await rita.report({ repository, commit: head, name: "build", state: "passed" });
    const second = await pushMore(scene);
    expect(await states()).toEqual([]);
    await rita.report({ repository, commit: second, name: "build", state: "failed" });
    await rita.report({ repository, commit: head, name: "late", state: "passed" });
    expect(await states()).toEqual(["build failed"]);
  });

  it("say who reports them", async () => {
    const { rita, repository, head } = scene;
    await rita.report({ repository, commit: head, name: "build", state: "passed" });
    expect(only((await scene.seen()).checks).source).not.toBe("");
  });

  it("are all there when they fill several pages", async () => {
    const { rita, repository, head } = scene;
    const names = Array.from({ length: 101 }, (_, index) => `check-${String(index).padStart(3, "0")}`);
    for (const name of names) await rita.report({ repository, commit: head, name, state: "passed" });
    expect((await scene.seen()).checks.map(({ name }) => name).sort()).toEqual(names);
  });
});

describe.each(worlds)("the gate on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it.each(["pending", "success", "failure", "neutral"] as const)("says %s as it was told to", async (state) => {
    const { drover, pull, head } = scene;
    await drover.setGate({ pull, head, state, words: "For a reason." });
    const { gate, checks } = await scene.seen();
    expect({ gate, checks }).toEqual({ gate: { head, state, words: "For a reason." }, checks: [] });
  });

  it.each([
    ["pending", "pending"],
    ["success", "passed"],
    ["failure", "failed"],
    ["neutral", "passed"],
  ] as const)("that says %s has %s for everybody else", async (state, check) => {
    const { drover, pull, head, world, people } = scene;
    await drover.setGate({ pull, head, state, words: "For a reason." });
    const { gate, checks } = await fetchSeen(world.clientOf(people.rita), pull);
    expect([gate, only(checks).state]).toEqual([null, check]);
  });

  it.each(having(entry, "long_gate_words"))("keeps its words, also many", async () => {
    const { drover, pull, head } = scene;
    await drover.setGate({ pull, head, state: "pending", words: manyWords });
    expect((await scene.seen()).gate?.words).toBe(manyWords);
  });

  it.each(lacking(entry, "long_gate_words"))("is set also with too many words, and keeps how they begin", async () => {
    const { drover, pull, head } = scene;
    await drover.setGate({ pull, head, state: "pending", words: manyWords });
    const words = (await scene.seen()).gate?.words ?? "";
    expect(words.slice(0, 100)).toBe(manyWords.slice(0, 100));
    expect(words.endsWith("…")).toBe(true);
  });

  it("has the last word, and says the same when told the same again", async () => {
    const { drover, pull, head, world } = scene;
    await drover.setGate({ pull, head, state: "pending", words: "Reading." });
    await world.pass(5 * secondMs);
    for (let time = 0; time < 2; time++) {
      await drover.setGate({ pull, head, state: "failure", words: "A blocker." });
      expect((await scene.seen()).gate).toEqual({ head, state: "failure", words: "A blocker." });
    }
    expect((await scene.seen()).checks).toEqual([]);
  });

  it("has the last word even within one second", async () => {
    const { drover, pull, head } = scene;
    for (const state of ["pending", "success", "failure", "pending", "success"] as const) {
      await drover.setGate({ pull, head, state, words: `Now ${state}.` });
      expect((await scene.seen()).gate).toEqual({ head, state, words: `Now ${state}.` });
    }
  });

  it("is that of the head alone", async () => {
    const { drover, pull, head } = scene;
    await drover.setGate({ pull, head, state: "success", words: "Good." });
    const second = await pushMore(scene);
    expect((await scene.seen()).gate).toBeNull();
    await drover.setGate({ pull, head, state: "failure", words: "Too late." });
    expect((await scene.seen()).gate).toBeNull();
    await drover.setGate({ pull, head: second, state: "pending", words: "Reading." });
    expect((await scene.seen()).gate).toEqual({ head: second, state: "pending", words: "Reading." });
  });

  it("of another account is a check among others, never our gate", async () => {
    const { drover, pull, head, world, repository } = scene;
    const account = await world.addAccount({ login: "drover-two", kind: "bot" });
    await world.setPermission({ repository, account, permission: "write" });
    await world.clientOf(account).setGate({ pull, head, state: "failure", words: "Of the other." });
    const { gate, checks } = await scene.seen();
    expect(gate).toBeNull();
    expect(checks.map(({ state }) => state)).toEqual(["failed"]);
    await drover.setGate({ pull, head, state: "success", words: "Ours." });
    expect((await scene.seen()).gate).toEqual({ head, state: "success", words: "Ours." });
  });

  it("cannot be forged by a report of the same name", async () => {
    const { drover, pull, head, world, people, rita, repository } = scene;
    await drover.setGate({ pull, head, state: "failure", words: "A blocker." });
    const others = await fetchSeen(world.clientOf(people.mia), pull);
    const name = only(others.checks).name;
    await world.pass(5 * secondMs);
    await rita.report({ repository, commit: head, name, state: "passed" });
    expect((await scene.seen()).gate?.state ?? "none").not.toBe("success");
  });
});
