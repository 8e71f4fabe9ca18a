import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { createRealGit } from "#git/real-git.ts";
import { createRealHost } from "#git/real-host.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { type JobWorld, openJobWorld } from "./job-world.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const path = "src/app.js";

interface Harness {
  readonly world: JobWorld;
  suggest(who: "rita" | "mia", remark: Partial<ReviewRemark> & Pick<ReviewRemark, "lines">): Promise<void>;
  /** A session, begun and ended; undefined where none was to begin. */
  fix(): Promise<string | undefined>;
  content(file?: string): Promise<string | undefined>;
}

async function openHarness(files: {
  readonly before?: string;
  readonly content: string;
  readonly manner?: SandboxManner;
}): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), "drover-suggested-"));
  folders.push(folder);
  const searchPath = process.env["PATH"] ?? "";
  const host = await createRealHost({ folder: join(folder, "forge"), searchPath });
  const git = await createRealGit({ folder: join(folder, "drover"), searchPath, protocols: ["file"], env: {} });
  const world = await openJobWorld({
    ...(files.before === undefined ? {} : { base: { [path]: files.before } }),
    changes: { [path]: files.content },
    // One of the two manners does not tell who may write.
    rules: { fix: { onFeedback: true, quietMs: 0, allowedUsers: { kind: "everyone" } } },
    dependencies: { agent: suggestionsAgent() },
    gits: { host, git },
    manner: files.manner ?? "github",
  });
  await world.tick();
  return {
    world,
    suggest: async (who, remark) => {
      const remarks = [{ path, side: "new", body: block("suggested();"), ...remark } as const];
      await world.as(who).review(world.pull, { event: "comment", body: "", remarks });
    },
    fix: async () => {
      await world.tick();
      await world.job("session");
      return (await world.records()).sessions.at(-1)?.state.kind;
    },
    content: async (file = path) => {
      const { sha } = (await world.dependencies.forge.fetchPull(world.pull)).pull.head;
      const mirror = await world.dependencies.git.findMirror(`test/${world.repository.id}`);
      const remote = await world.dependencies.forge.fetchRemote(world.repository, "read");
      await mirror?.fetchRefs({ remote, refs: [`refs/pull/${world.pull.number}/head`] });
      const read = await mirror?.readFile({ commit: sha, path: file, bytesMax: 10_000 });
      return read?.kind === "file" ? new TextDecoder().decode(read.bytes) : undefined;
    },
  };
}

function block(...lines: readonly string[]): string {
  return ["Better:", "```suggestion", ...lines, "```"].join("\n");
}

function fileOf(count: number, end = "\n"): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}${end}`).join("");
}

function refusals(harness: Harness): readonly string[] {
  const replies = harness.world.sandbox
    .look(harness.world.pull)
    .threads.flatMap(({ id }) => harness.world.repliesIn(id));
  return replies.filter((body) => body.includes("was not applied"));
}

describe("a person's suggestion", () => {
  it("on lines 2 to 6 replaces all of them, not the last one alone", async () => {
    const harness = await openHarness({ content: fileOf(8) });
    await harness.suggest("rita", { lines: { first: 2, last: 6 }, body: block("two", "three") });
    expect(await harness.fix()).toBe("pushed");
    expect(await harness.content()).toBe("line 1\ntwo\nthree\nline 7\nline 8\n");
    expect(refusals(harness)).toEqual([]);
  });

  it("that was refused is not applied by a later session, though its author pushed back to where it was made", async () => {
    const harness = await openHarness({ content: "a();\n}\nb();\n}\nc();\n" });
    const { world } = harness;
    const { sha: first } = (await world.dependencies.forge.fetchPull(world.pull)).pull.head;
    await harness.suggest("rita", { lines: { first: 1, last: 2 }, body: block() });
    await harness.suggest("mia", { lines: { first: 2, last: 2 }, body: block("end();") });
    await harness.fix();
    expect(await harness.content()).toBe("b();\n}\nc();\n");
    expect(refusals(harness)).toHaveLength(1);
    await world.as("ada").forcePush({ repository: world.repository, branch: "parser", to: first });
    await world.as("mia").comment(world.pull, "@drover fix");
    await harness.fix();
    expect(await harness.content()).toBe("a();\n}\nb();\n}\nc();\n");
    expect(refusals(harness)).toHaveLength(1);
  });

  it("whose line was deleted, and is there again since, is refused", async () => {
    const harness = await openHarness({ content: "a();\n}\nb();\n" });
    await harness.suggest("rita", { lines: { first: 2, last: 2 }, body: block("end();") });
    await harness.world.push({ [path]: "a();\nb();\n" });
    await harness.world.push({ [path]: "a();\n}\nb();\n" });
    await harness.fix();
    expect(await harness.content()).toBe("a();\n}\nb();\n");
    expect(refusals(harness)).toHaveLength(1);
  });

  it("that is empty deletes its lines", async () => {
    const harness = await openHarness({ content: fileOf(4) });
    await harness.suggest("rita", { lines: { first: 2, last: 3 }, body: block() });
    await harness.fix();
    expect(await harness.content()).toBe("line 1\nline 4\n");
  });

  it.each(["github", "gitea"] as const)(
    "on a line that the pull removes changes nothing on the new side (%s)",
    async (manner) => {
      const before = fileOf(6);
      const content = before.replace("line 3\n", "");
      const harness = await openHarness({ before, content, manner });
      await harness.suggest("rita", { side: "old", lines: { first: 3, last: 3 } });
      expect(await harness.fix()).toBe("stalled");
      expect(await harness.content()).toBe(content);
      expect(refusals(harness)).toHaveLength(1);
      expect(refusals(harness)[0]).toContain("lines that this pull removes");
    },
  );

  it.each(["github", "gitea"] as const)("goes with its line where a push has moved it (%s)", async (manner) => {
    const harness = await openHarness({ content: fileOf(5), manner });
    await harness.suggest("rita", { lines: { first: 3, last: 3 }, body: block("three") });
    await harness.world.push({ [path]: `new a\nnew b\n${fileOf(5)}` });
    expect(await harness.fix()).toBe("pushed");
    expect(await harness.content()).toBe("new a\nnew b\nline 1\nline 2\nthree\nline 4\nline 5\n");
  });

  it.each(["github", "gitea"] as const)(
    "on a line that reads like others is not put in where it stood before the push (%s)",
    async (manner) => {
      const harness = await openHarness({ content: "a {\n}\nb {\n}\nc {\n}\n", manner });
      await harness.suggest("rita", { lines: { first: 4, last: 4 }, body: block("} // end of b") });
      await harness.world.push({ [path]: "new {\n}\na {\n}\nb {\n}\nc {\n}\n" });
      await harness.fix();
      expect(await harness.content()).toBe("new {\n}\na {\n}\nb {\n} // end of b\nc {\n}\n");
    },
  );

  it.each(["github", "gitea"] as const)(
    "on lines that a push has changed is refused, and told so once (%s)",
    async (manner) => {
      const harness = await openHarness({ content: fileOf(5), manner });
      await harness.suggest("rita", { lines: { first: 3, last: 3 } });
      const changed = fileOf(5).replace("line 3", "another line");
      await harness.world.push({ [path]: changed });
      expect(await harness.fix()).toBe("stalled");
      await harness.fix();
      await harness.fix();
      expect(await harness.content()).toBe(changed);
      expect(refusals(harness)).toHaveLength(1);
      expect(refusals(harness)[0]).toContain("have been changed since");
    },
  );

  it("whose commit a forced push took away is refused, since nothing proves its lines", async () => {
    const harness = await openHarness({ content: fileOf(5) });
    const { world } = harness;
    await harness.suggest("rita", { lines: { first: 3, last: 3 } });
    const main = await world.as("mia").push({
      repository: world.repository,
      branch: "main",
      changes: { "other.txt": "other\n" },
      message: "Other",
    });
    const rewritten = await world.as("ada").push({
      repository: world.repository,
      branch: "rewritten",
      from: main,
      changes: { [path]: `new\n${fileOf(5)}` },
      message: "Again",
    });
    await world.as("ada").forcePush({ repository: world.repository, branch: "parser", to: rewritten });
    expect(await harness.fix()).toBe("stalled");
    expect(await harness.content()).toBe(`new\n${fileOf(5)}`);
    expect(refusals(harness)[0]).toContain("cannot be proven");
  });

  it("with something put in between its lines is refused", async () => {
    const harness = await openHarness({ content: fileOf(6) });
    await harness.suggest("rita", { lines: { first: 2, last: 4 } });
    const changed = fileOf(6).replace("line 3\n", "line 3\nnew\n");
    await harness.world.push({ [path]: changed });
    expect(await harness.fix()).toBe("stalled");
    expect(await harness.content()).toBe(changed);
  });

  it("of several different ones in a remark is left to people", async () => {
    const harness = await openHarness({ content: fileOf(3) });
    await harness.suggest("rita", { lines: { first: 2, last: 2 }, body: `${block("a")}\nor\n${block("b")}` });
    expect(await harness.fix()).toBe("stalled");
    expect(await harness.content()).toBe(fileOf(3));
    expect(refusals(harness)[0]).toContain("somebody has to choose");
  });

  it("with fences inside keeps them", async () => {
    const harness = await openHarness({ content: fileOf(3) });
    const body = ["````suggestion", "```js", "run();", "```", "````"].join("\n");
    await harness.suggest("rita", { lines: { first: 2, last: 2 }, body });
    await harness.fix();
    expect(await harness.content()).toBe("line 1\n```js\nrun();\n```\nline 3\n");
  });

  it("on a file with carriage returns keeps them", async () => {
    const harness = await openHarness({ content: fileOf(4, "\r\n") });
    await harness.suggest("rita", { lines: { first: 2, last: 3 }, body: block("a", "b", "c") });
    expect(await harness.fix()).toBe("pushed");
    expect(await harness.content()).toBe("line 1\r\na\r\nb\r\nc\r\nline 4\r\n");
  });

  it("on the end of a file without a newline adds none", async () => {
    const harness = await openHarness({ content: "line 1\nline 2\nline 3" });
    await harness.suggest("rita", { lines: { first: 2, last: 3 }, body: block("end") });
    expect(await harness.fix()).toBe("pushed");
    expect(await harness.content()).toBe("line 1\nend");
  });

  it("that meets another's is refused, and its author is told in her thread", async () => {
    const harness = await openHarness({ content: fileOf(6) });
    await harness.suggest("rita", { lines: { first: 2, last: 4 }, body: block("by rita") });
    await harness.world.clock.advance(2_000);
    await harness.suggest("mia", { lines: { first: 4, last: 5 }, body: block("by mia") });
    expect(await harness.fix()).toBe("pushed");
    await harness.fix();
    expect(await harness.content()).toBe("line 1\nby rita\nline 5\nline 6\n");
    expect(refusals(harness)).toHaveLength(1);
    expect(refusals(harness)[0]).toContain("An earlier suggestion changes the same lines.");
  });

  it("in a renamed file goes with it", async () => {
    const harness = await openHarness({ content: fileOf(30) });
    await harness.suggest("rita", { lines: { first: 3, last: 3 }, body: block("three") });
    await harness.world.push({ [path]: null, "src/moved.js": fileOf(30) });
    expect(await harness.fix()).toBe("pushed");
    expect(await harness.content("src/moved.js")).toBe(fileOf(30).replace("line 3\n", "three\n"));
  });

  it("on Gitea, whose remarks are on one line, replaces that one", async () => {
    const harness = await openHarness({ content: fileOf(5), manner: "gitea" });
    await harness.suggest("rita", { lines: { first: 2, last: 4 }, body: block("four", "and more") });
    expect(await harness.fix()).toBe("pushed");
    expect(await harness.content()).toBe("line 1\nline 2\nline 3\nfour\nand more\nline 5\n");
  });
});
