import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import { removeFolder } from "./remove-folder.ts";

interface Ready {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly repositories: readonly { readonly name: string; readonly folder: string }[];
}

let place = "";
let node: NodeProcess;
let ready: Ready;
let drover: Forge;
let receiver: Server;
const events: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drover-sandbox-process-"));
  receiver = createServer((request, response) => {
    events.push(String(request.headers["x-github-event"]));
    request.resume().on("end", () => response.writeHead(202).end());
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  const webhooks = ["--webhooks", `http://127.0.0.1:${address.port}`, "--secret", "s3cret"];
  const args = ["sandbox", "--json", "--port", "0", "--folder", join(place, "sandbox"), ...webhooks];
  node = startNode({ script: await bundleEntry("src/cli/drover.ts"), args, env: {} });
  const [line = ""] = await node.waitFor(/^\{.*\}$/m, 60_000);
  ready = JSON.parse(line);
  const clock = createSystemClock();
  drover = createRemoteSandbox({ url: ready.url, token: ready.tokens["drover"] ?? "", clock });
});

afterAll(async () => {
  await node.kill();
  receiver.close();
  await removeFolder(place);
});

async function asAda(deed: string, asked: object): Promise<string> {
  const headers = { authorization: `Bearer ${ready.tokens["ada"]}` };
  const answer = await fetch(`${ready.url}/person/${deed}`, { method: "POST", headers, body: JSON.stringify(asked) });
  return await answer.text();
}

function git(...args: readonly string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"];
  return execFileSync("git", [...identity, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** As somebody who looks again and again. */
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 600; looks++) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came to that:\n${node.output()}`);
}

describe("a sandbox in a process of its own", () => {
  it("takes what is pushed with plain git, tells of it by itself, and shows it to a program", async () => {
    const clone = join(place, "clone");
    git("clone", "--quiet", ready.repositories[0]?.folder ?? "", clone);
    await writeFile(join(clone, "loud.txt"), "loud\n");
    git("-C", clone, "checkout", "--quiet", "-b", "loud");
    git("-C", clone, "add", "loud.txt");
    git("-C", clone, "commit", "--quiet", "--message", "Be loud");
    git("-C", clone, "push", "--quiet", "origin", "loud");
    const opened = await asAda("openPull", { repository: "acme/tools", branch: "loud", title: "Be loud" });
    const pull: PullRef = JSON.parse(opened);
    expect(await drover.fetchRepository("acme/tools")).toEqual(pull.repository);
    const first = git("-C", clone, "rev-parse", "HEAD");
    expect((await drover.fetchPull(pull)).pull.head.sha).toBe(first);
    await until(() => events.includes("pull_request"));
    events.length = 0;
    git("-C", clone, "commit", "--quiet", "--allow-empty", "--message", "Louder");
    git("-C", clone, "push", "--quiet", "origin", "loud");
    // Nobody asks the forge for anything meanwhile.
    await until(() => events.includes("pull_request"));
    expect((await drover.fetchPull(pull)).pull.head.sha).toBe(git("-C", clone, "rev-parse", "HEAD"));
  });

  it("ends in order when it is asked to, and is then nobody", async () => {
    expect(await node.stop(30_000)).toEqual({ code: 0, signal: null });
    await expect(drover.fetchIdentity()).rejects.toMatchObject({ kind: "unavailable", isApplied: "no" });
  });
});
