import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { ImportOutcome, Mirror } from "#ports/git.ts";
import { plainGit } from "./plain-git.ts";
import { type RealRemoteHand, type RealWorld, realWorld } from "./real-world.ts";
import { at, identity, main, worktreeAt } from "./world.ts";

/**
 * Ways in which whoever can write a git directory takes over the git of the host. Each is first shown to work on a host
 * that uses git in the agent's folder as people do, then planted before Drover's own steps.
 */
interface Takeover {
  readonly name: string;
  readonly plant: (scene: Scene) => void;
  /** What a naive host would do. */
  readonly naive: (scene: Scene) => void;
  readonly isRefused?: true;
}

interface Scene {
  readonly folder: string;
  readonly canary: string;
  /** A repository of the attacker, whose refs are a canary as well. */
  readonly evil: RealRemoteHand;
  readonly hand: RealRemoteHand;
}

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

function config(scene: Scene, ...settings: readonly (readonly [string, string])[]): void {
  for (const [key, value] of settings) plainGit(scene.folder, ["config", key, value]);
}

/** Git does what it is told even where the command then fails. */
function attempt(folder: string, argv: readonly string[], input = ""): void {
  try {
    plainGit(folder, argv, { input: Buffer.from(input) });
  } catch {
    // Whether it succeeded is not the question.
  }
}

function touch({ canary }: Scene): string {
  return `touch '${canary}'`;
}

const takeovers: readonly Takeover[] = [
  {
    name: "core.fsmonitor",
    plant: (scene) => config(scene, ["core.fsmonitor", `${touch(scene)}; false`]),
    naive: ({ folder }) => attempt(folder, ["status"]),
  },
  {
    name: "an embedded bare repository",
    plant: (scene) => {
      const inner = join(scene.folder, "inner");
      for (const [name, content] of bareFiles(scene)) write(join(inner, name), content);
    },
    naive: ({ folder }) => attempt(join(folder, "inner"), ["status"]),
    isRefused: true,
  },
  {
    name: "filter.clean",
    plant: (scene) => {
      write(join(scene.folder, ".gitattributes"), "* filter=evil diff=evil merge=evil\n");
      config(
        scene,
        ["filter.evil.clean", `${touch(scene)}; cat`],
        ["filter.evil.smudge", `${touch(scene)}; cat`],
        ["filter.evil.process", touch(scene)],
        ["diff.evil.textconv", touch(scene)],
        ["diff.evil.command", touch(scene)],
        ["merge.evil.driver", touch(scene)],
      );
    },
    naive: ({ folder }) => attempt(folder, ["add", "--all"]),
  },
  {
    name: "hooks",
    plant: (scene) => {
      const hooks = ["pre-commit", "post-checkout", "post-index-change", "pre-push", "reference-transaction"];
      for (const hook of hooks) write(join(scene.folder, ".git/hooks", hook), `#!/bin/sh\n${touch(scene)}\n`, 0o755);
    },
    naive: ({ folder }) => attempt(folder, ["commit", "--allow-empty", "--message=x"]),
  },
  {
    name: "pushurl",
    plant: (scene) => {
      for (const remote of ["origin", "drover"]) {
        config(scene, [`remote.${remote}.url`, scene.hand.folder], [`remote.${remote}.pushurl`, scene.evil.folder]);
      }
    },
    naive: ({ folder }) => attempt(folder, ["push", "origin", "HEAD:refs/heads/main"]),
  },
  {
    name: "insteadOf",
    plant: (scene) =>
      config(
        scene,
        [`url.${scene.evil.folder}.insteadOf`, scene.hand.folder],
        [`url.${scene.evil.folder}.pushInsteadOf`, scene.hand.folder],
      ),
    naive: ({ folder, hand }) => attempt(folder, ["push", hand.folder, "HEAD:refs/heads/main"]),
  },
  {
    name: "sshCommand",
    plant: (scene) => config(scene, ["core.sshCommand", touch(scene)], ["core.gitProxy", touch(scene)]),
    naive: ({ folder }) => attempt(folder, ["fetch", "ssh://host.invalid/x"]),
  },
  {
    name: "credential.helper",
    plant: (scene) => config(scene, ["credential.helper", `!${touch(scene)}`], ["core.askPass", touch(scene)]),
    naive: ({ folder }) => attempt(folder, ["credential", "fill"], "protocol=https\nhost=host.invalid\n\n"),
  },
  {
    name: "a swapped .git file",
    plant: (scene) => {
      config(scene, ["core.fsmonitor", `${touch(scene)}; false`]);
      const elsewhere = join(dirname(scene.canary), "elsewhere");
      plainGit(scene.folder, ["init", "--quiet", `--separate-git-dir=${elsewhere}`, "."]);
      rmSync(scene.canary, { force: true });
    },
    naive: ({ folder }) => attempt(folder, ["status"]),
  },
];

function bareFiles(scene: Scene): readonly (readonly [string, string])[] {
  return [
    ["HEAD", "ref: refs/heads/main\n"],
    ["objects/x", ""],
    ["refs/x", ""],
    ["config", `[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = "${touch(scene)}; false"\n`],
  ];
}

describe("the agent's folder does not take over the host", () => {
  let world: RealWorld;
  let scene: Scene;
  let mirror: Mirror;
  let first: HeadSha;

  beforeEach(async () => {
    world = await realWorld();
    const [hand, evil] = [await world.createRemote(), await world.createRemote()];
    first = await hand.commit({ changes: { "a.txt": "a\n" } });
    await hand.setRef(main, first);
    mirror = await world.git.ensureMirror({ key: "one", remote: hand.remote });
    const { folder } = await worktreeAt(mirror, first);
    scene = { folder, canary: join(world.root, "canary"), evil, hand };
    plainGit(folder, ["init", "--quiet", "--initial-branch=main", "."]);
    plainGit(folder, ["commit", "--quiet", "--allow-empty", "--message=theirs"]);
  });
  afterEach(() => world.close());

  function isTaken(): boolean {
    const refs = plainGit(scene.evil.folder, ["for-each-ref", "--format=%(refname)"]).toString();
    return existsSync(scene.canary) || refs.includes("refs/heads/main");
  }

  /** Everything that Drover does before, with and after a result. */
  async function drive(): Promise<ImportOutcome> {
    write(join(scene.folder, "a.txt"), "fixed\n");
    await world.git.ensureMirror({ key: "one", remote: scene.hand.remote });
    const rules = { protectedPaths: [], ciPaths: "protected", keptPaths: [] } as const;
    const limits = {
      entriesMax: 1000,
      changesMax: 100,
      fileBytesMax: 10_000,
      changedBytesMax: 10_000,
      pathBytesMax: 200,
    };
    const outcome = await mirror.importResult({ folder: scene.folder, commit: first, limits, ...rules });
    if (outcome.kind !== "imported") return outcome;
    const request = { tree: outcome.tree, parents: [first], message: "fix", identity, at: at(1) };
    const commit = await mirror.commitTree(request);
    const range = { base: first, head: commit };
    expect((await mirror.diff({ ...range, bytesMax: 10_000 })).kind).toBe("diff");
    expect(await mirror.patchOf(range)).not.toBeNull();
    const push = { remote: scene.hand.remote, ref: main, commit, expected: first, manner: "fast_forward" } as const;
    expect(await mirror.push(push)).toEqual({ kind: "pushed" });
    expect(await scene.hand.refOf(main)).toBe(commit);
    await worktreeAt(mirror, commit, "second");
    await world.git.removeWorktree({ job: "job-1", folder: scene.folder, home: "" });
    return outcome;
  }

  it.each(takeovers)("by $name", async ({ plant, isRefused }) => {
    plant(scene);
    expect((await drive()).kind).toBe(isRefused === true ? "refused" : "imported");
    expect(isTaken()).toBe(false);
  });

  it.each(takeovers)("though it would take over a naive host: $name", ({ plant, naive }) => {
    plant(scene);
    expect(isTaken()).toBe(false);
    naive(scene);
    expect(isTaken()).toBe(true);
  });

  it("by all of them at once, on the way of somebody who set Drover's environment as well", async () => {
    for (const { plant, isRefused } of takeovers) if (isRefused !== true) plant(scene);
    const planted = {
      GIT_DIR: join(scene.folder, ".git"),
      GIT_WORK_TREE: scene.folder,
      GIT_EXTERNAL_DIFF: touch(scene),
      GIT_SSH_COMMAND: touch(scene),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: touch(scene),
      GIT_TRACE: join(world.root, "trace"),
    };
    const before = { ...process.env };
    Object.assign(process.env, planted);
    try {
      expect((await drive()).kind).toBe("imported");
    } finally {
      for (const key of Object.keys(planted)) delete process.env[key];
      Object.assign(process.env, before);
    }
    expect(isTaken()).toBe(false);
    expect(existsSync(join(world.root, "trace"))).toBe(false);
  });

  it("by what a fetched repository holds", async () => {
    const script = { mode: "100755", content: `#!/bin/sh\n${touch(scene)}\n` } as const;
    const bare = Object.fromEntries(bareFiles(scene));
    const inner = Object.fromEntries(bareFiles(scene).map(([name, content]) => [`inner/${name}`, content]));
    const evil = await scene.hand.commit({
      parents: [first],
      changes: {
        ...bare,
        ...inner,
        ".gitattributes": "* filter=evil diff=evil merge=evil text eol=crlf\n",
        ".gitconfig": `[core]\n\tfsmonitor = ${touch(scene)}\n`,
        ".gitmodules": `[submodule "sub"]\n\tpath = sub\n\turl = ext::${touch(scene)}\n\tupdate = !${touch(scene)}\n`,
        ".lfsconfig": `[lfs]\n\turl = ext::${touch(scene)}\n`,
        "hooks/reference-transaction": script,
        "hooks/post-checkout": script,
        sub: { mode: "160000", content: "2".repeat(40) },
        "a.txt": "evil\n",
      },
    });
    await scene.hand.setRef(main, evil);
    await world.git.ensureMirror({ key: "one", remote: scene.hand.remote });
    await mirror.fetchRefs({ remote: scene.hand.remote, refs: [main] });
    const range = { base: first, head: evil };
    expect((await mirror.diff({ ...range, bytesMax: 100_000 })).kind).toBe("diff");
    expect(await mirror.patchOf(range)).not.toBeNull();
    await mirror.logOf({ commit: evil, path: "a.txt", entriesMax: 10 });
    await mirror.listTree({ commit: evil, folder: "inner", entriesMax: 10 });
    const request = { commit: evil, job: "evil", history: { kind: "copied", commitsMax: 5 } } as const;
    const added = await mirror.addWorktree({ ...request, bytesMax: 100_000, entriesMax: 100 });
    if (added.kind !== "added") throw new Error(added.kind);
    scene = { ...scene, folder: added.worktree.folder };
    first = evil;
    expect((await drive()).kind).toBe("imported");
    expect(isTaken()).toBe(false);
    // The content is as dangerous as it looks.
    attempt(join(world.own, "worktrees", "second", "tree", "inner"), ["status"]);
    expect(isTaken()).toBe(true);
  });

  it("not even through the mirror's own hooks and configuration", async () => {
    const [name = ""] = readdirSync(join(world.own, "mirrors"));
    const gitDir = join(world.own, "mirrors", name);
    for (const hook of ["reference-transaction", "post-index-change", "pre-push"]) {
      write(join(gitDir, "hooks", hook), `#!/bin/sh\n${touch(scene)}\n`, 0o755);
    }
    const settings = [
      ["core.fsmonitor", touch(scene)],
      ["core.sshCommand", touch(scene)],
      ["credential.helper", `!${touch(scene)}`],
      ["diff.external", touch(scene)],
    ] as const;
    for (const [key, value] of settings) plainGit(gitDir, ["config", key, value]);
    await scene.hand.setRef("refs/heads/more", first);
    expect((await drive()).kind).toBe("imported");
    expect(isTaken()).toBe(false);
  });
});
