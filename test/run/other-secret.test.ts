import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PullRef } from "#ports/pull-ref.ts";
import { type Called, goodChange, openRunWorld, type RunWorld } from "./run-world.ts";

const first = { DROVER_SECRET: "11".repeat(32) };
const second = { DROVER_SECRET: "22".repeat(32) };

describe.each(["github", "gitea"] as const)("a pull with notes of another secret, in the manner of %s", (manner) => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await openRunWorld(manner);
  });
  afterAll(async () => {
    await world.close();
  });

  async function call(
    command: string,
    pull: PullRef,
    { env, more = [], config }: { env?: Record<string, string>; more?: readonly string[]; config?: string } = {},
  ): Promise<Called> {
    const file = config === undefined ? [] : ["--config", "c.yml"];
    return await world.drover([command, "--pull", String(pull.number), ...file, ...more], {
      ...(env === undefined ? {} : { env }),
      files: { "c.yml": config ?? "" },
    });
  }

  function written(pull: PullRef): readonly string[] {
    const { comments, reviews } = world.forge.sandbox.look(pull);
    return [...comments, ...reviews].map(({ id, body }) => `${id} ${body}`);
  }

  it("run refuses and writes nothing, until it is told to begin anew", async () => {
    const pull = await world.openPull(goodChange);
    expect(await call("run", pull, { env: first })).toMatchObject({ code: 0 });
    const before = written(pull);
    const steps = world.forge.sandbox.history.length;
    for (const env of [second, undefined]) {
      const refused = await call("run", pull, env === undefined ? {} : { env });
      expect(refused).toMatchObject({ code: 2, out: "" });
      expect(refused.err).toContain("the notes of drover on this pull were signed with another secret");
      expect(refused.err).toContain("Set DROVER_SECRET");
      expect(refused.err).toContain("--anew");
    }
    expect(world.forge.sandbox.history.length).toBe(steps);
    const same = await call("run", pull, { env: first });
    expect(same.out).toContain("nothing was to be done");
    expect(written(pull)).toEqual(before);
    const anew = await call("run", pull, { env: second, more: ["--anew"] });
    expect(anew).toMatchObject({ code: 0 });
    expect(anew.out).toContain("review (general, automatic): done");
    const after = await call("run", pull, { env: second });
    expect(after).toMatchObject({ code: 0 });
    expect(after.out).toContain("nothing was to be done");
  });

  it("explain refuses to announce what was done already, until it is told to begin anew", async () => {
    const pull = await world.openPull(goodChange);
    await call("run", pull, { env: first });
    const refused = await call("explain", pull, { env: second });
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("were signed with another secret");
    expect((await call("explain", pull, { env: first })).out).not.toContain("start the general review");
    expect((await call("explain", pull, { env: second, more: ["--anew"] })).out).toContain("start the general review");
  });

  it("an answered command alone is enough to refuse, since it would be answered again", async () => {
    const pull = await world.openPull(goodChange);
    const { sandbox, people } = world.forge;
    await sandbox.as(people.ada).comment(pull, "@drover disable-reviews");
    expect(await call("run", pull, { env: first })).toMatchObject({ code: 0 });
    expect(world.forge.sandbox.look(pull).reviews).toEqual([]);
    const before = written(pull);
    expect(before.join("\n")).toContain("<!-- drover:roles general -->");
    expect(await call("run", pull, { env: second })).toMatchObject({ code: 2, out: "" });
    expect(await call("explain", pull, { env: second })).toMatchObject({ code: 2, out: "" });
    // As a version wrote it that did not name its roles.
    for (const { id, body, author } of world.forge.sandbox.look(pull).comments) {
      if (author.login !== "drover") continue;
      await sandbox.as(people.drover).editComment(pull, id, body.replace("<!-- drover:roles general -->\n\n", ""));
    }
    expect(written(pull)).not.toEqual(before);
    const refused = await call("run", pull, { env: second });
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("it would repeat reviews, answers and fixes");
    expect(await call("run", pull, { env: second, more: ["--anew"] })).toMatchObject({ code: 0 });
    expect(await call("run", pull, { env: second })).toMatchObject({ code: 0 });
  });

  it("a job of another role goes on where its sibling has noted a command and no review", async () => {
    const pull = await world.openPull(goodChange);
    const { sandbox, people } = world.forge;
    await sandbox.as(people.ada).comment(pull, "@drover disable-reviews");
    const security = "rules: { reviews: { roles: [{ name: security, reviewer: rules }] } }\n";
    for (let turn = 0; turn < 2; turn++) {
      expect(await call("run", pull, { env: first })).toMatchObject({ code: 0 });
      expect(await call("run", pull, { env: second, config: security })).toMatchObject({ code: 0 });
    }
  });

  it("whoever looks without the secret is told that nothing of the notes could be checked", async () => {
    const pull = await world.openPull(goodChange);
    await call("run", pull, { env: first });
    const why = "could not be checked, because DROVER_SECRET is not set";
    for (const env of [undefined, { DROVER_SECRET: "" }]) {
      const looked = await call("explain", pull, env === undefined ? {} : { env });
      expect(looked.code).toBe(0);
      expect(looked.err).toContain(why);
      const json = await call("explain", pull, { ...(env === undefined ? {} : { env }), more: ["--json"] });
      expect(JSON.parse(json.out)).toMatchObject({ notes: "unchecked" });
    }
    const short = ["--timeout", "1m", "--interval", "20s"];
    const waited = await call("wait", pull, { more: short });
    expect(waited.err.split(why)).toHaveLength(2);
    const wrong = await call("wait", pull, { env: second, more: short });
    expect(wrong.err).toContain("were signed with another secret than DROVER_SECRET");
    const right = await call("explain", pull, { env: first, more: ["--json"] });
    expect(right.err).toBe("");
    expect(JSON.parse(right.out)).toMatchObject({ notes: "believed" });
  });

  it("a job that plays another role goes on with a secret of its own, beside the first one", async () => {
    const pull = await world.openPull(goodChange);
    const security = "rules: { reviews: { roles: [{ name: security, reviewer: rules }] } }\n";
    expect(await call("run", pull, { env: first })).toMatchObject({ code: 0 });
    const sibling = await call("run", pull, { env: second, config: security });
    expect(sibling).toMatchObject({ code: 0 });
    expect(sibling.out).toContain("review (security, automatic): done");
    for (const again of [
      await call("run", pull, { env: first }),
      await call("run", pull, { env: second, config: security }),
    ]) {
      expect(again).toMatchObject({ code: 0 });
      expect(again.out).not.toContain("automatic): done");
    }
    expect(await call("explain", pull, { env: second, config: security })).toMatchObject({ code: 0 });
    const reviews = world.forge.sandbox.look(pull).reviews.filter(({ author }) => author.login === "drover");
    expect(reviews).toHaveLength(2);
  });

  it("the job of a fork, which has no secret, still reads and judges", async () => {
    const pull = await world.openPull(goodChange);
    await call("run", pull, { env: first });
    const event = {
      repository: { full_name: "acme/tools" },
      pull_request: {
        number: pull.number,
        head: { repo: { full_name: "eve/tools" } },
        base: { repo: { full_name: "acme/tools" } },
      },
    };
    const files = { "event.json": JSON.stringify(event) };
    const args = ["run", "--pull", String(pull.number), "--event", "event.json"];
    expect((await world.drover(args, { files })).code).not.toBe(2);
  });
});
