import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { GitError, Mirror, PushOutcome, Remote } from "#ports/git.ts";
import { type GitHttpServer, serveGit } from "./git-http-server.ts";
import { plainGit } from "./plain-git.ts";
import { type RealRemoteHand, type RealWorld, realWorld } from "./real-world.ts";
import { at, identity, main } from "./world.ts";

const token = "t0ken-that-nobody-may-see";
const encoded = Buffer.from(`bot:${token}`).toString("base64");

function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return names.filter((name) => statSync(name).isFile());
}

describe("a remote behind a password", () => {
  let world: RealWorld;
  let server: GitHttpServer;
  let hand: RealRemoteHand;
  let first: HeadSha;
  let remote: Remote;

  beforeEach(async () => {
    world = await realWorld({ protocols: ["http"], limits: { networkMsMax: 60_000 } });
    server = await serveGit({ root: world.root, token });
    hand = await world.createRemote();
    plainGit(hand.folder, ["config", "http.receivepack", "true"]);
    first = await hand.commit({ changes: { a: "a\n" } });
    await hand.setRef(main, first);
    remote = { url: `${server.url}/remote-1.git`, credential: { username: "bot", reveal: () => token } };
  });
  afterEach(async () => {
    await server.close();
    world.close();
  });

  async function commitOurs(mirror: Mirror): Promise<HeadSha> {
    const tree = await mirror.findTree(first);
    if (tree === undefined) throw new Error("no tree");
    return await mirror.commitTree({ tree, parents: [first], message: "ours", identity, at: at(1) });
  }

  async function pushOurs(disturb: () => void): Promise<{ readonly ours: HeadSha; readonly outcome: PushOutcome }> {
    const mirror = await world.git.ensureMirror({ key: "one", remote });
    const ours = await commitOurs(mirror);
    disturb();
    const request = { remote, ref: main, commit: ours, expected: first, manner: "fast_forward" } as const;
    return { ours, outcome: await mirror.push(request) };
  }

  it("is fetched from and pushed to, with a password that is written down nowhere", async () => {
    const { ours, outcome } = await pushOurs(() => undefined);
    expect(outcome).toEqual({ kind: "pushed" });
    expect(await hand.refOf(main)).toBe(ours);
    const files = filesBelow(world.own);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const content = readFileSync(file, "latin1");
      const tells = [token, encoded, server.url].filter((secret) => content.includes(secret));
      expect({ file, tells }).toEqual({ file, tells: [] });
    }
  });

  it("is named in no argument that others on the machine could see", async () => {
    const wrapper = join(world.root, "wrapper");
    const log = join(world.root, "arguments");
    const real = process.env["PATH"] ?? "";
    mkdirSync(wrapper);
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\nPATH='${real}' exec git "$@"\n`;
    writeFileSync(join(wrapper, "git"), script, { mode: 0o755 });
    const other = await realWorld({ protocols: ["http"], searchPath: `${wrapper}:${real}` });
    try {
      await other.git.ensureMirror({ key: "one", remote });
      expect(other.mirroredRef("one", main)).toBe(first);
    } finally {
      other.close();
    }
    const seen = readFileSync(log, "utf8");
    expect(seen).toContain("fetch");
    for (const secret of [token, encoded, server.url]) expect(seen).not.toContain(secret);
  });

  it("does not get its password or its address into an error", async () => {
    const wrong = { url: remote.url, credential: { username: "bot", reveal: () => `${token}-wrong` } };
    const error: GitError = await world.git.ensureMirror({ key: "one", remote: wrong }).then(
      () => expect.fail("it let us in"),
      (cause: GitError) => cause,
    );
    expect(error.kind).toBe("unavailable");
    for (const secret of [token, "127.0.0.1"]) expect(`${error.message} ${error.stack}`).not.toContain(secret);
    expect(JSON.stringify(remote)).not.toContain(token);
  });

  it("sends its password to nobody else", async () => {
    const stranger = await serveGit({ root: world.root, token: "other" });
    try {
      server.disturb("/info/refs", { kind: "redirect", to: stranger.url });
      await expect(world.git.ensureMirror({ key: "one", remote })).rejects.toMatchObject({ kind: "unavailable" });
      expect(server.seen).toContain(`Basic ${encoded}`);
      expect(stranger.seen).toEqual([]);
    } finally {
      await stranger.close();
    }
  });

  it("counts as pushed to when the answer was lost but the commit is there", async () => {
    const { ours, outcome } = await pushOurs(() => server.disturb("/git-receive-pack", { kind: "lose_answer" }));
    expect(await hand.refOf(main)).toBe(ours);
    expect(outcome).toEqual({ kind: "pushed" });
  });

  it("leaves open what happened when nothing was answered and nothing is to be seen", async () => {
    const { outcome } = await pushOurs(() => server.disturb("/git-receive-pack", { kind: "hang_up" }));
    expect(await hand.refOf(main)).toBe(first);
    expect(outcome).toEqual({ kind: "unknown", why: "no_answer" });
  });

  it("leaves it open as well when nobody could look", async () => {
    const { ours, outcome } = await pushOurs(() => {
      server.disturb("/git-receive-pack", { kind: "lose_answer" });
      server.disturb("/git-upload-pack", { kind: "hang_up" });
    });
    expect(await hand.refOf(main)).toBe(ours);
    expect(outcome).toEqual({ kind: "unknown", why: "no_answer" });
  });

  it("is refused where the operator did not allow its protocol", async () => {
    const strict = await realWorld({ protocols: ["https"] });
    try {
      const made = strict.git.ensureMirror({ key: "one", remote });
      await expect(made).rejects.toMatchObject({ kind: "bad_request" });
      const local = { url: hand.folder, credential: null };
      await expect(strict.git.ensureMirror({ key: "x", remote: local })).rejects.toMatchObject({ kind: "bad_request" });
    } finally {
      strict.close();
    }
  });
});
