import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import { buildRealHarness, type RealHarness } from "./real-harness.ts";

const version = inject("giteaVersion") ?? "";

const clean = { "src/lexer.ts": "export const words = 1;\n" };

let harness: RealHarness;
beforeEach(async () => {
  harness = await buildRealHarness(version, {
    rules: {
      merge: { when: "when_approved", requireCI: false },
      approval: { protocols: "emoji", pollMs: 3_600_000 },
    },
  });
});
afterEach(async () => {
  await harness.close();
});

describe(`approval by emoji on a real Gitea ${version}`, () => {
  test("a thumb of a writer merges exactly the head that stood when it was given", async () => {
    const pull = await harness.open(clean);
    await harness.settle(pull);
    const { head } = (await harness.look(pull)).pull;
    expect((await harness.look(pull)).merged).toBeNull();
    await harness.world.pass(2 * secondMs);
    await harness.rita.react(pull, "+1");
    await harness.settle(pull);
    const { merged } = await harness.look(pull);
    expect(merged).toMatchObject({ by: { id: harness.people.drover.id }, head: head.sha });
    const request = harness.requests.find(({ method, path }) => method === "POST" && path.endsWith("/merge"));
    expect(JSON.parse(request?.body ?? "{}")).toMatchObject({ head_commit_id: head.sha });
  });

  test("a push after the thumb: what came later is not merged by it", async () => {
    const pull = await harness.open(clean);
    await harness.settle(pull);
    await harness.world.pass(2 * secondMs);
    await harness.rita.react(pull, "+1");
    await harness.push(pull, { "src/more.ts": "export const more = 2;\n" });
    await harness.settle(pull);
    expect((await harness.look(pull)).merged).toBeNull();
    await harness.rita.unreact(pull, "+1");
    await harness.settle(pull);
    await harness.rita.react(pull, "+1");
    await harness.settle(pull);
    const { merged, pull: seen } = await harness.look(pull);
    expect(merged?.head).toBe(seen.head.sha);
  });

  test("a thumb of the author merges nothing", async () => {
    const pull = await harness.open(clean);
    await harness.settle(pull);
    await harness.world.pass(2 * secondMs);
    await harness.ada.react(pull, "+1");
    await harness.settle(pull);
    expect((await harness.look(pull)).merged).toBeNull();
  });
});
