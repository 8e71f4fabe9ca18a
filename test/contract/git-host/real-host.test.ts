import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRealHost } from "#git/real-host.ts";
import { at, author, commitTo, main, type RealHostWorld, realHostWorld, repository } from "./host-world.ts";

const searchPath = process.env["PATH"] ?? "";

describe("a host on real git", () => {
  let world: RealHostWorld;
  beforeEach(async () => {
    world = await realHostWorld();
    await world.host.createRepository(repository);
  });
  afterEach(() => world.close());

  it("finds its repositories again after a restart, and what nothing points to", async () => {
    await world.host.createRepository("bob/plums");
    const commit = await commitTo(world.host, { changes: { a: "a\n" } });
    await world.host.setRef({ repository, ref: main, to: commit });
    const again = await createRealHost({ folder: world.folder, searchPath });
    expect(await again.refsOf(repository)).toEqual(new Map([[main, commit]]));
    expect(await again.findTree({ repository: "bob/plums", commit })).toBeDefined();
    await expect(again.createRepository(repository)).rejects.toMatchObject({ kind: "bad_request" });
  });

  it("runs no hook, whoever put it there and whoever pushes", async () => {
    const { host, git } = world;
    const first = await commitTo(host, { changes: { a: "a\n" } });
    await host.setRef({ repository, ref: main, to: first });
    const witness = join(world.folder, "witness");
    const hooks = join(host.remoteOf(repository).url, "hooks");
    mkdirSync(hooks);
    for (const name of ["pre-receive", "update", "post-receive", "reference-transaction"]) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch '${witness}'\n`);
      chmodSync(join(hooks, name), 0o755);
    }
    const remote = host.remoteOf(repository);
    const mirror = await git.ensureMirror({ key: "one", remote });
    const tree = await mirror.findTree(first);
    if (tree === undefined) throw new Error("no tree");
    const commit = await mirror.commitTree({ tree, parents: [first], message: "m", identity: author, at: at(1) });
    const push = { remote, ref: main, commit, expected: first, manner: "fast_forward" } as const;
    expect(await mirror.push(push)).toEqual({ kind: "pushed" });
    await host.setRef({ repository, ref: main, to: first });
    expect(existsSync(witness)).toBe(false);
  });

  it("keeps its own things out of sight of repositories", async () => {
    await expect(world.host.refsOf(".host/home")).rejects.toMatchObject({ kind: "bad_request" });
    expect(existsSync(join(world.folder, "ann", "plums.git", "HEAD"))).toBe(true);
  });

  it("says that a difference is too large rather than cutting it", async () => {
    const base = await commitTo(world.host, {});
    const head = await commitTo(world.host, { parents: [base], changes: { a: "x".repeat(2000) } });
    const small = await createRealHost({ folder: world.folder, searchPath, limits: { answerBytesMax: 1000 } });
    await expect(small.diff({ repository, base, head })).rejects.toMatchObject({ kind: "over_limit" });
  });

  it("lets several people commit and move refs at once", async () => {
    const { host } = world;
    const commits = await Promise.all(
      [1, 2, 3, 4].map(async (minute) => {
        const commit = await commitTo(host, { changes: { a: `${minute}\n` }, minute });
        await host.setRef({ repository, ref: main, to: commit });
        return commit;
      }),
    );
    expect(commits).toContain((await host.refsOf(repository)).get(main));
  });

  it("refuses to start without git", async () => {
    const start = createRealHost({ folder: world.folder, searchPath: "/nonexistent" });
    await expect(start).rejects.toMatchObject({ kind: "unsupported" });
  });
});
