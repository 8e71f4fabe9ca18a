import { describe, expect, it } from "vitest";
import { Untrusted } from "#core/model/ids.ts";
import type { SearchHits, SearchRequest } from "#ports/change-view.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { repositoryTools, type ToolTrouble } from "#reviewers/model/repository-tools.ts";
import { aModelJob, aSaidFinding, reviewerOf, says, scriptedModel } from "#testing/model-makers.ts";

const texts = {
  "src/a.ts": "const order = load();\nsave(order);\ndone();",
  "src/caller.ts": "import { save } from './a';\nsave(1);",
  "package-lock.json": "save",
};

const plainJob = aModelJob({ texts });
if (plainJob.repository === undefined) throw new Error("jobs of tests have a repository");
const searchable = { ...plainJob, repository: plainJob.repository };

async function ask(tool: string, input: object, job: ReviewJob = aModelJob({ texts })): Promise<string> {
  const trouble: ToolTrouble = { why: null };
  const found = repositoryTools(job, trouble).find(({ name }) => name === tool);
  return (await found?.run(input, job.signal)) ?? "no such tool";
}

describe("what a model can look at", () => {
  it("is lines of a file", async () => {
    const input = { path: "src/a.ts", from: 2, to: 3, before: false };
    expect(await ask("read_file", input)).toBe("Lines 2 to 3 of 3:\nsave(order);\ndone();");
  });

  it("is no part of a secret, wherever it begins to read", async () => {
    const begin = ["-----BEGIN", "PRIVATE KEY-----"].join(" ");
    const body = `MIIEvQ${"kQ7vXz2RmB9tLw4HdYc6NpJ8sGf3".repeat(2)}xY`;
    const token = `sk-ant-api03-${body}${body}`;
    const job = aModelJob({
      texts: { "deploy/key": [begin, body, body, "c2hvcnQ="].join("\n"), "src/a.js": `${"x".repeat(150)} "${token}"` },
    });
    const lines = await ask("read_file", { path: "deploy/key", from: 2, to: 3, before: false }, job);
    expect(lines).toBe("Lines 2 to 3 of 4:\n…\n…");
    const hits = await ask("search", { text: "mb9t", folder: "" }, job);
    expect(hits).toContain("deploy/key:3: …");
    expect(hits).toContain("sk-ant-api03-…");
    expect(hits).not.toContain("mB9t");
    expect(hits).not.toContain("MIIE");
    const search = () =>
      Promise.resolve({
        hits: [{ path: "deploy/key", line: 3, text: Untrusted.parse(body) }],
        alsoIn: [],
        isCut: false,
      });
    const quick = { ...job, repository: { ...searchable.repository, search } };
    expect(await ask("search", { text: "mb9t", folder: "" }, quick)).toBe("deploy/key:3: …");
  });

  it("is what it means by a name that prose has shown it with another sign", async () => {
    const job = aModelJob({ texts: { "packages/@scope/a.ts": 'import "@scope/name";' } });
    const input = { path: "packages/＠scope/a.ts", from: 1, to: 1, before: false };
    expect(await ask("read_file", input, job)).toContain('import "@scope/name";');
    expect(await ask("search", { text: "＠scope/name", folder: "" }, job)).toContain('a.ts:1: import "@scope/name";');
  });

  it("is a file with whatever numbers it is asked for", async () => {
    for (const [from, to] of [
      [0, 0],
      [-5, 99_999],
      [50, 2],
      [1.5, 2.5],
    ]) {
      expect(await ask("read_file", { path: "src/a.ts", from, to, before: false })).toMatch(
        /^Lines \d+ to \d+ of 3:\n/,
      );
    }
  });

  it("is nothing where it asks wrongly, and that is no trouble of the repository", async () => {
    const trouble: ToolTrouble = { why: null };
    const [reading] = repositoryTools(aModelJob({ texts }), trouble);
    expect(await reading?.run({ path: 7 }, new AbortController().signal)).toContain("not the arguments");
    expect(trouble.why).toBeNull();
  });

  it("is not the repository's trouble where nobody waited for a search", async () => {
    const trouble: ToolTrouble = { why: null };
    const stop = new AbortController();
    const search = async ({ signal }: SearchRequest): Promise<SearchHits> => {
      stop.abort();
      return await Promise.reject(new Error(signal?.aborted === true ? "stopped" : "nobody told it to stop"));
    };
    const job = { ...searchable, repository: { ...searchable.repository, search } };
    const tool = repositoryTools(job, trouble).find(({ name }) => name === "search");
    expect(await tool?.run({ text: "save", folder: "" }, stop.signal)).toContain("Nobody waits");
    expect(trouble.why).toBeNull();
  });

  it("is the side before the change where it asks for that", async () => {
    const sides: string[] = [];
    const job: ReviewJob = {
      ...aModelJob(),
      readFile: (side) => Promise.resolve(void sides.push(side)).then(() => null),
    };
    await ask("read_file", { path: "src/a.ts", from: 1, to: 2, before: true }, job);
    expect(sides).toEqual(["old"]);
  });

  it("is every line that holds a text, but not in generated files", async () => {
    expect(await ask("search", { text: "SAVE(", folder: "" })).toBe(
      "src/a.ts:2: save(order);\nsrc/caller.ts:2: save(1);\n(1 generated file was not searched)",
    );
    expect(await ask("search", { text: "nowhere", folder: "src/" })).toBe("Nothing found.");
  });

  it("is what somebody finds who can search without reading every file", async () => {
    const asked: SearchRequest[] = [];
    const hits = [{ path: "src/a.ts", line: 2, text: Untrusted.parse("  save(order);") }];
    const search = (request: SearchRequest): Promise<SearchHits> => {
      asked.push(request);
      const isHere = request.text === "Save(";
      return Promise.resolve({ hits: isHere ? hits : [], alsoIn: isHere ? ["huge.ts"] : [], isCut: isHere });
    };
    const job = { ...searchable, repository: { ...searchable.repository, search } };
    expect(await ask("search", { text: " Save( ", folder: "./src/" }, job)).toBe(
      "src/a.ts:2: save(order);\nhuge.ts: holds it as well, not shown\n(there is more: name a folder, or search for a longer text)",
    );
    expect(asked[0]).toMatchObject({ text: "Save(", folder: "src" });
    expect(asked[0]?.isSkipped("package-lock.json")).toBe(true);
    await ask("search", { text: "x", folder: "vendor" }, job);
    expect(asked.pop()?.isSkipped("vendor/p.js")).toBe(false);
    expect(await ask("search", { text: "x", folder: "src" }, job)).toBe("Nothing found.");
    expect(await ask("search", { text: "x", folder: "none" }, job)).toContain("that is no folder");
    expect(await ask("search", { text: "x", folder: "../x" }, job)).toBe("There is no such folder.");
    expect(await ask("search", { text: "a\nb", folder: "" }, job)).toBe("Search for one short text.");
    expect(asked).toHaveLength(3);
  });

  it("is the paths below a folder, and the commits of a path", async () => {
    expect(await ask("list_files", { folder: "./src/" })).toBe("src/a.ts\nsrc/caller.ts");
    expect(await ask("history", { path: "src/a.ts" })).toBe("aaaaaaaaaa 1970-01-01 Ann: Save orders");
  });

  it("is single files alone where nobody can look further", () => {
    const { repository: _, ...job } = aModelJob();
    expect(repositoryTools(job, { why: null }).map(({ name }) => name)).toEqual(["read_file"]);
  });
});

describe("what a model cannot look at", () => {
  it.each([
    "/etc/passwd",
    "../secret",
    "src/../../x",
    ".git/config",
    "src/.GIT/config",
    "a\\b",
    "a\u0000b",
    "",
    "a//b",
  ])("is anything outside of the repository: %o", async (path) => {
    let isAsked = false;
    const job: ReviewJob = {
      ...aModelJob({ texts }),
      readFile: () => {
        isAsked = true;
        return Promise.resolve(new TextEncoder().encode("secret"));
      },
    };
    expect(await ask("read_file", { path, from: 1, to: 1, before: false }, job)).toContain("no such text file");
    expect(isAsked).toBe(false);
  });

  it("is a folder or a history outside of it", async () => {
    expect(await ask("list_files", { folder: "../.." })).toBe("There is no such folder.");
    expect(await ask("search", { text: "a", folder: ".git" })).toBe("There is no such folder.");
    expect(await ask("history", { path: "../x" })).toBe("There is no history of that path.");
  });

  it("is a binary file, or more than fits", async () => {
    const big = { "a.bin": "a\u0000b", "big.txt": "word ".repeat(20_000) };
    const input = { from: 1, to: 999, before: false };
    expect(await ask("read_file", { ...input, path: "a.bin" }, aModelJob({ texts: big }))).toContain(
      "no such text file",
    );
    expect((await ask("read_file", { ...input, path: "big.txt" }, aModelJob({ texts: big }))).length).toBeLessThan(
      25_000,
    );
  });
});

describe("a repository that fails", () => {
  it("ends the review as a failure, though the model was told something", async () => {
    const job: ReviewJob = {
      ...aModelJob(),
      repository: {
        listFiles: () => Promise.reject(new Error("the mirror is gone")),
        history: () => Promise.resolve([]),
      },
    };
    const model = scriptedModel(({ purpose, tools, signal }) => ({
      kind: "asks",
      look: async () => {
        if (purpose === "review_look")
          await tools.find(({ name }) => name === "list_files")?.run({ folder: "" }, signal);
        return { summary: "", findings: [aSaidFinding()], verdicts: [] };
      },
    }));
    expect(await reviewerOf(model).review(job)).toMatchObject({
      kind: "failed",
      why: "The repository could not be read: the mirror is gone",
    });
  });

  it("is not asked at all by a model that needs nothing", async () => {
    expect(await reviewerOf(scriptedModel([says(), says()])).review(aModelJob())).toMatchObject({ kind: "completed" });
  });
});
