import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "#ports/store.ts";
import { useStores, worlds } from "./worlds.ts";

describe.each(worlds)("slow steps of jobs, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  it("are unknown until they have answered", async () => {
    expect(await store.findStep({ job: "unknown", step: "ask" })).toBeUndefined();
  });

  it("keep any plain value, nothing but undefined being none", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (result) => {
        const name = { job: `value ${runs++}`, step: "ask" };
        // A database keeps JSON, which knows no negative zero.
        const kept: unknown = JSON.parse(JSON.stringify(result));
        expect(await store.saveStep(name, result)).toEqual(kept);
        expect(await other.findStep(name)).toEqual(kept);
      }),
      { numRuns: world.runs(50) },
    );
    await expect(store.saveStep({ job: "nothing", step: "ask" }, undefined)).rejects.toThrow("plain JSON");
    expect(await store.findStep({ job: "nothing", step: "ask" })).toBeUndefined();
  });

  it.each([
    ["the order of keys", '{"b":1,"a":2,"c":{"z":1,"y":2},"":3}'],
    ["numbers to their last digit", "[0.1,1e-7,5e-324,1.7976931348623157e+308,9007199254740993000,-1,1e+21]"],
    ["what looks empty", '[null,false,0,"",[],{},[[]],[{}]]'],
    ["keys that JavaScript knows", '{"__proto__":{"a":1},"constructor":2,"toString":3,"length":4}'],
    ["depth", `${"[".repeat(500)}${"]".repeat(500)}`],
  ])("keep %s", async (what, json) => {
    const name = { job: `exactly ${what}`, step: "ask" };
    expect(JSON.stringify(await store.saveStep(name, JSON.parse(json)))).toBe(json);
    expect(JSON.stringify(await other.findStep(name))).toBe(json);
  });

  it("keep no negative zero, which JSON does not know", async () => {
    const name = { job: "zero", step: "ask" };
    expect(await store.saveStep(name, [-0])).toEqual([0]);
    expect(await other.findStep(name)).toEqual([0]);
  });

  it("keep their first word: whoever comes second is told what it was", async () => {
    const name = { job: "first", step: "ask" };
    expect(await store.saveStep(name, null)).toBeNull();
    expect(await other.saveStep(name, { text: "second" })).toBeNull();
    expect(await store.findStep(name)).toBeNull();
  });

  it("agree on one answer when several workers have one at the same time", async () => {
    const name = { job: "race", step: "ask" };
    const told = await Promise.all(
      [1, 2, 3, 4].map(async (answer) => (answer % 2 === 0 ? store : other).saveStep(name, { answer })),
    );
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await store.findStep(name)).toEqual(told[0]);
  });

  it("are told apart by job and by step", async () => {
    await store.saveStep({ job: "job a", step: "ask" }, 1);
    await store.saveStep({ job: "job a", step: "publish" }, 2);
    await store.saveStep({ job: "job b", step: "ask" }, 3);
    expect(await store.findStep({ job: "job a", step: "ask" })).toBe(1);
    expect(await store.findStep({ job: "job a", step: "publish" })).toBe(2);
    expect(await store.findStep({ job: "job b", step: "ask" })).toBe(3);
    expect(await store.findStep({ job: "job a ask", step: "" })).toBeUndefined();
  });

  it("cannot be changed through what was given or taken", async () => {
    const name = { job: "aliased", step: "ask" };
    const given = { lines: ["one"] };
    await store.saveStep(name, given);
    given.lines.push("two");
    const found = await store.findStep(name);
    expect(found).toEqual({ lines: ["one"] });
    if (typeof found === "object" && found !== null) Object.assign(found, { lines: [] });
    expect(await store.findStep(name)).toEqual({ lines: ["one"] });
  });

  it("are forgotten with their job, and then answer anew", async () => {
    await store.saveStep({ job: "over", step: "ask" }, 1);
    await store.saveStep({ job: "goes on", step: "ask" }, 1);
    await other.forgetSteps("over");
    await other.forgetSteps("over");
    expect(await store.findStep({ job: "over", step: "ask" })).toBeUndefined();
    expect(await store.findStep({ job: "goes on", step: "ask" })).toBe(1);
    expect(await store.saveStep({ job: "over", step: "ask" }, 2)).toBe(2);
  });
});
