import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nextSecond, openRunWorld, type RunWorld } from "./run-world.ts";

const marker = "@drover disable-reviews";

/** Gitea does not tell when a description was edited: what one run noted on the pull is all that the next one knows. */
describe.each(["github", "gitea"] as const)("a marker in the description, seen by one-shot runs on %s", (manner) => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await openRunWorld(manner);
  });
  afterAll(async () => {
    await world.close();
  });

  it("counts again when it is put back after enable-reviews, and from then on in each run", async () => {
    const pull = await world.openPull({ "src/quiet.ts": "export const quiet = 1;\n" });
    const { sandbox, people } = world.forge;
    const ada = sandbox.as(people.ada);
    const run = async (): Promise<string> => {
      await nextSecond();
      expect(await world.drover(["run", "--pull", String(pull.number)])).toMatchObject({ code: 0 });
      const { comments } = sandbox.look(pull);
      return comments.find(({ body }) => body.startsWith("<!-- drover:managed"))?.body ?? "";
    };
    await ada.editPull(pull, { body: marker });
    expect(await run()).toContain("Automatic reviews are off.");
    await nextSecond();
    await ada.comment(pull, "@drover enable-reviews");
    expect(await run()).toContain("Automatic reviews are on.");
    await ada.editPull(pull, { body: "Ready." });
    expect(await run()).toContain("Automatic reviews are on.");
    await ada.editPull(pull, { body: marker });
    expect(await run()).toContain("Automatic reviews are off.");
    expect(await run()).toContain("Automatic reviews are off.");
  });
});
