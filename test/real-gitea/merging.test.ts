import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { buildRealTown, type RealTown } from "./real-town.ts";

const version = inject("giteaVersion") ?? "";

const clean = { "src/lexer.ts": "export const words = 1;\n" };

let town: RealTown;
beforeEach(async () => {
  town = await buildRealTown(version, {
    rules: {
      merge: { when: "when_approved", requireCI: false },
      approval: { protocols: "emoji", pollMs: 3_600_000 },
    },
  });
});
afterEach(async () => {
  await town.close();
});

describe(`approval by emoji on a real Gitea ${version}`, () => {
  test("a thumb of a writer merges exactly the head that stood when it was given", async () => {
    const pull = await town.open(clean);
    await town.settle(pull);
    const { head } = (await town.look(pull)).pull;
    expect((await town.look(pull)).merged).toBeNull();
    await town.world.pass(2 * secondMs);
    await town.rita.react(pull, "+1");
    await town.settle(pull);
    const { merged } = await town.look(pull);
    expect(merged).toMatchObject({ by: { id: town.people.drover.id }, head: head.sha });
    const request = town.requests.find(({ method, path }) => method === "POST" && path.endsWith("/merge"));
    expect(JSON.parse(request?.body ?? "{}")).toMatchObject({ head_commit_id: head.sha });
  });

  test("a push after the thumb: what came later is not merged by it", async () => {
    const pull = await town.open(clean);
    await town.settle(pull);
    await town.world.pass(2 * secondMs);
    await town.rita.react(pull, "+1");
    await town.push(pull, { "src/more.ts": "export const more = 2;\n" });
    await town.settle(pull);
    expect((await town.look(pull)).merged).toBeNull();
    await town.rita.unreact(pull, "+1");
    await town.settle(pull);
    await town.rita.react(pull, "+1");
    await town.settle(pull);
    const { merged, pull: seen } = await town.look(pull);
    expect(merged?.head).toBe(seen.head.sha);
  });

  test("a thumb of the author merges nothing", async () => {
    const pull = await town.open(clean);
    await town.settle(pull);
    await town.world.pass(2 * secondMs);
    await town.ada.react(pull, "+1");
    await town.settle(pull);
    expect((await town.look(pull)).merged).toBeNull();
  });
});
