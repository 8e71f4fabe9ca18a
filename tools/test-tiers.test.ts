import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { runNode } from "./child.ts";
import {
  includeOf,
  leftToAll,
  listTests,
  projectsOf,
  quickProject,
  slowProjects,
  storyEngines,
  storyTags,
  tagsOf,
} from "./test-tiers.ts";
import { gitFreeEnvironment } from "./work-tree.ts";

const root = join(import.meta.dirname, "..");
const files = listTests(root);
const ListedFiles = z.array(z.object({ file: z.string(), projectName: z.string() }));

/** What vitest itself would run: the names of projects by the path of the file, without real Gitea servers. */
async function listedByVitest(): Promise<ReadonlyMap<string, readonly string[]>> {
  const script = join(root, "node_modules/vitest/vitest.mjs");
  const args = ["list", "--filesOnly", "--json", "--root", root];
  const { code, output } = await runNode({ script, args, output: "keep", env: gitFreeEnvironment() });
  if (code !== 0) throw new Error(output);
  const listed = new Map<string, string[]>();
  for (const { file, projectName } of ListedFiles.parse(JSON.parse(output.slice(output.indexOf("[\n"))))) {
    if (projectName.startsWith("gitea")) continue;
    const path = file.slice(root.length + 1);
    listed.set(path, [...(listed.get(path) ?? []), projectName]);
  }
  return listed;
}

describe("the projects of the tests", () => {
  it("run every test file there is, as this list says and no other way", async () => {
    const listed = await listedByVitest();
    const expected = files.map((file) => [file, projectsOf(root, file).filter((name) => name !== "gitea")] as const);
    const told = expected.map(([file]) => [file, (listed.get(file) ?? []).toSorted()]);
    expect(told).toEqual(expected.map(([file, projects]) => [file, projects.toSorted()]));
    expect([...listed.keys()].filter((file) => !files.includes(file))).toEqual([]);
  });

  it("repeat only what is quick: any other file is of one project", () => {
    const repeated = files.filter((file) => projectsOf(root, file).length > 1);
    expect(repeated.filter((file) => !projectsOf(root, file).includes(quickProject))).toEqual([]);
  });

  it("name folders and files that hold tests", () => {
    const parts = slowProjects.flatMap(includeOf).map((glob) => glob.replace(/\*\*.*/, ""));
    expect(parts.filter((part) => !files.some((file) => file.startsWith(part)))).toEqual([]);
  });

  it("leave to --all what is not quick, and count it", () => {
    const left = leftToAll(root);
    expect([...left.keys()].toSorted()).toEqual([...slowProjects, ...storyEngines, "gitea"].toSorted());
    expect(left.get("benchmarks")).toBe(files.filter((file) => file.startsWith("test/bench/")).length);
  });
});

it("all run in CI, where none may be skipped", () => {
  expect(readFileSync(join(root, ".ci/run"), "utf8")).toContain("DROVER_FORBID_SKIPS=1 CI=true npm test -- --all\n");
});

/** Calls of a harness by which a story kills, replaces or adds a worker, or loses what they remember. */
const crashOrConcurrency =
  /\.hire\(|\.dismissAll\(|\.loseDatabase\(|\.settleStranger\(|\bdieAtEveryBoundary\(|from "#harness\/fate\.ts"/;

function lacksTag(source: string): boolean {
  return crashOrConcurrency.test(source) && tagsOf(source).length === 0;
}

describe("stories on the engines of SQL", () => {
  const stories = files.filter((file) => file.startsWith("test/scenarios/"));
  const sources = stories.map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));

  it("are all in which a worker dies or is not alone", () => {
    expect(sources.filter(({ source }) => lacksTag(source)).map(({ file }) => file)).toEqual([]);
  });

  it("have a harness, and tags that vitest knows", () => {
    const tagged = sources.filter(({ source }) => tagsOf(source).length > 0);
    expect(tagged.length).toBeGreaterThan(0);
    expect(tagged.filter(({ source }) => !source.includes('from "#harness/')).map(({ file }) => file)).toEqual([]);
    const known = new Set<string>(storyTags.map(({ name }) => name));
    expect(tagged.flatMap(({ source }) => tagsOf(source)).filter((tag) => !known.has(tag))).toEqual([]);
  });

  it.each([
    ["harness.hire();", true],
    ["await harness.loseDatabase();", true],
    ["// @module-tag crash\n\nawait harness.loseDatabase();", false],
    ["await harness.settle();", false],
  ])("would be missed without a tag: %j", (source, isMissed) => {
    expect(lacksTag(source)).toBe(isMissed);
  });
});
