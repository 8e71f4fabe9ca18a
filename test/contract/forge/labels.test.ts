import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openScene, type Scene } from "./scene.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("labels of ours on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  const labels = async (): Promise<readonly string[]> => [...(await scene.seen()).pull.labels].sort();

  it("are added to those that are there, and twice is once", async () => {
    const { drover, ada, pull } = scene;
    await ada.editPull(pull, { labels: ["bug"] });
    for (let time = 0; time < 2; time++) {
      await drover.editLabels({ pull, add: ["ready", "bug"], remove: [] });
      expect(await labels()).toEqual(["bug", "ready"]);
    }
  });

  it("are removed, others stay, and twice is once", async () => {
    const { drover, ada, pull } = scene;
    await ada.editPull(pull, { labels: ["bug", "in work: now?", "later"] });
    for (let time = 0; time < 2; time++) {
      await drover.editLabels({ pull, add: ["ready"], remove: ["in work: now?", "later"] });
      expect(await labels()).toEqual(["bug", "ready"]);
    }
  });

  it("are not put on a pull that does not exist, nor by those who may only read", async () => {
    const { drover, pull, world, people } = scene;
    const missing = drover.editLabels({ pull: { ...pull, number: 4711 }, add: ["ready"], remove: [] });
    await expect(missing).rejects.toMatchObject({ kind: "not_found", isApplied: "no" });
    const foreign = world.clientOf(people.otto).editLabels({ pull, add: ["ready"], remove: [] });
    await expect(foreign).rejects.toMatchObject({
      kind: expect.stringMatching(/^(?:forbidden|not_found)$/),
      isApplied: "no",
    });
    expect(await labels()).toEqual([]);
  });
});
