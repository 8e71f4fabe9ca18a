import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ForgeSide } from "./forge-side.ts";
import { openForgeSide } from "./forge-side.ts";
import type { NodeProcess } from "./node-process.ts";
import { sendSigned } from "./send-signed.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const timeout = 240_000;

let world: ServeWorld;
let other: ForgeSide | undefined;
beforeEach(async () => {
  world = await openServeWorld();
});
afterEach(async () => {
  await world.close();
  await other?.close();
  other = undefined;
});

/** Tells it to read its file again, and waits for what it says to that. */
async function reload(node: NodeProcess): Promise<string> {
  const before = node.output().length;
  node.signal("SIGHUP");
  const said = (): string => node.output().slice(before);
  await until(() => /^drover: .*(in force|nothing was changed)/m.test(said()), node.output);
  return said();
}

function forge(side: ForgeSide) {
  return { name: "sandbox", url: side.forge.url, manner: side.forge.sandbox.manner };
}

/** A pull that was only looked at: told of, and with no gate and no review on it. */
async function countReviews(side: ForgeSide): Promise<number> {
  return side.forge.sandbox.history.filter(
    ({ by, what }) => by.id === side.forge.people.drover.id && what.kind === "reviewed",
  ).length;
}

describe("a server that is told to read its configuration again", () => {
  it("goes on as before with a file that is wrong, and by new rules with one that is right", { timeout }, async () => {
    await world.side.configure({ rules: { reviews: { automatic: "disabled" } } });
    const node = await world.ready();
    const pull = await world.openPull();
    await node.waitFor(/"message":"ticked a pull"/, timeout);
    await writeFile(world.side.configFile, '{"forges": [');
    expect(await reload(node)).toContain("nothing was changed");
    await world.side.configure({ rules: { reviews: { automatic: "always" } } });
    expect(await reload(node)).toMatch(/nothing was changed[^]*automatic/);
    expect(await countReviews(world.side)).toBe(0);
    await world.side.configure({});
    expect(await reload(node)).toContain("in force");
    await world.side.forge.sandbox.as(world.side.forge.people.rita).comment(pull, "Any news?");
    expect(await world.rest()).toBe("");
    expect(await countReviews(world.side)).toBe(1);
  });

  it("takes a token and a webhook secret from their files anew, and two secrets while one is changed", {
    timeout,
  }, async () => {
    const { side } = world;
    const token = join(side.folder, "token");
    const [old, next] = [join(side.folder, "old-secret"), join(side.folder, "next-secret")];
    await Promise.all([
      writeFile(token, "a token that was revoked\n"),
      writeFile(old, `${side.env.DROVER_WEBHOOK_SECRET}\n`),
      writeFile(next, "the next secret\n"),
    ]);
    const withSecrets = (...files: readonly string[]) =>
      side.configure({
        forges: [{ ...forge(side), token: { file: token }, webhookSecrets: files.map((file) => ({ file })) }],
      });
    await withSecrets(old);
    const node = await world.ready();
    const pull = await world.openPull();
    await world.accepted(pull);
    await node.waitFor(/"kind":"unauthorized"/, timeout);
    const sendWith = (secret: string) => sendSigned({ port: side.port, secret, pull });
    expect(await sendWith("the next secret")).toBe(401);
    await writeFile(token, `${side.forge.tokens.drover}\n`);
    await withSecrets(old, next);
    expect(await reload(node)).toContain("in force");
    expect(await sendWith("the next secret")).toBe(202);
    expect(await sendWith(side.env.DROVER_WEBHOOK_SECRET)).toBe(202);
    // What was accepted under a token that was no good is done under the new one.
    expect(await world.rest()).toBe("");
    await withSecrets(next);
    expect(await reload(node)).toContain("in force");
    expect(await sendWith(side.env.DROVER_WEBHOOK_SECRET)).toBe(401);
    expect(await sendWith("the next secret")).toBe(202);
  });

  it("starts work on a forge that is new and ends it on one that is gone", { timeout }, async () => {
    other = await openForgeSide();
    const secret = "of the second forge";
    const second = { ...forge(other), name: "second", webhookSecrets: [{ env: "SECOND_SECRET" }] };
    const node = await world.ready({ env: { SECOND_SECRET: secret } });
    const ada = other.forge.sandbox.as(other.forge.people.ada);
    const [repository] = other.forge.repositories;
    if (repository === undefined) throw new Error("there is no repository");
    await ada.push({ repository, branch: "b", changes: { "b.txt": "b\n" }, message: "Add b" });
    const pull = await ada.openPull({ repository, branch: "b", base: "main", title: "Add b", body: "" });
    const send = () => sendSigned({ port: world.side.port, secret, pull });
    expect(await send()).toBe(401);
    await world.side.configure({ forges: [forge(world.side), second] });
    expect(await reload(node)).toContain("in force");
    expect(await send()).toBe(202);
    const reviewed = other;
    await until(async () => (await countReviews(reviewed)) === 1, node.output);
    await world.openPull();
    expect(await world.rest()).toBe("");
    await world.side.configure({});
    expect(await reload(node)).toContain("in force");
    expect(await send()).toBe(401);
    await world.openPull();
    expect(await world.rest()).toBe("");
  });
});
