import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `npm test` runs this project of vitest alone: what needs neither a database, nor a server process, nor a real forge. */
export const quickProject = "quick";

export const slowProjects = ["programs", "databases", "benchmarks"] as const;
export type SlowProject = (typeof slowProjects)[number];

/** Run by `npm test -- --all` alone. A file belongs to the first of them that names it or a folder of it; all others are quick. */
const slowTests: Readonly<Record<SlowProject, readonly string[]>> = {
  /** Programs of ours as real processes, and programs of others that stand beside them. */
  programs: [
    "test/processes/",
    "test/action/",
    "test/partners/",
    "test/eval/program.test.ts",
    "test/review/program.test.ts",
    "test/simulation/guards/try-guard.test.ts",
    "tools/run.test.ts",
    "tools/vitest-reporter.test.ts",
  ],
  /** What only a database can show. The suites of the ports run here as well, see `suitesOfPorts`. */
  databases: [
    "test/database/",
    "src/database/embedded/folder-lock.test.ts",
    "test/contract/queue/database-clock.test.ts",
    "test/contract/queue/whole-port.test.ts",
    "test/contract/store/sql-store.test.ts",
    "test/server/database-stalls.test.ts",
  ],
  /** How the benchmarks count and report, and how Drover's estimates compare with what others count. */
  benchmarks: ["test/bench/"],
};

/** Quick in memory, and once more on both engines of SQL in the project `databases`. */
const suitesOfPorts = ["test/contract/store/", "test/contract/queue/"] as const;

/** What a story says of itself in its first lines, `// @module-tag crash`: the stories that run on each engine of SQL. */
export const storyTags = [
  { name: "crash", description: "A worker dies, is replaced or stands still, or the database is lost." },
  { name: "concurrency", description: "Several workers or installations share what they remember." },
] as const;

/** The engines of SQL on which stories are told again; each is a project of its own. */
export const storyEngines = ["embedded", "postgres"] as const;

/** Where test files are. */
export const testRoots = ["src", "test", "tools"] as const;

const storyFolder = "test/scenarios/";
const harnessSuite = "test/harness/harness.test.ts";
const onRealGitea = "test/real-gitea/";
/** The suite that all forges pass, which runs on real ones too, and what is left out of it there. */
const forgeSuite = "test/contract/forge/";
export const notOnRealGitea: readonly string[] = ["declared", "limits"].map((name) => `${forgeSuite}${name}.test.ts`);

/** A folder ends in a slash; anything else is a file. */
function isPartOf(file: string, part: string): boolean {
  return part.endsWith("/") ? file.startsWith(part) : file === part;
}

function globOf(part: string): string {
  return part.endsWith("/") ? `${part}**/*.test.ts` : part;
}

/** What the quick project leaves to others. */
export const notQuick: readonly string[] = [...slowProjects.flatMap((name) => slowTests[name]), onRealGitea].map(
  globOf,
);

export function includeOf(project: SlowProject): readonly string[] {
  return [...slowTests[project], ...(project === "databases" ? suitesOfPorts : [])].map(globOf);
}

/** Stories whose subject is what an engine of SQL may do differently, by what each says of itself. */
export function storiesOnEngines(root: string): readonly string[] {
  return listTests(root).filter((file) => file === harnessSuite || isStoryOnEngines(root, file));
}

function isStoryOnEngines(root: string, file: string): boolean {
  return file.startsWith(storyFolder) && tagsOf(readFileSync(join(root, file), "utf8")).length > 0;
}

/** The tags of a whole file, as vitest reads them. */
export function tagsOf(source: string): readonly string[] {
  return [...source.matchAll(/^\/\/ @module-tag ([\w-]+)$/gm)].flatMap(([, name]) => name ?? []);
}

/** All test files under a folder, by their paths from there. */
export function listTests(root: string): readonly string[] {
  return testRoots
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${String(path)}`),
    )
    .filter((path) => path.endsWith(".test.ts"))
    .toSorted();
}

/** Which projects run a test file; those of real Gitea servers count as one, whatever is built on this machine. */
export function projectsOf(root: string, file: string): readonly string[] {
  if (file.startsWith(onRealGitea)) return ["gitea"];
  const home = slowProjects.find((name) => slowTests[name].some((part) => isPartOf(file, part)));
  if (home !== undefined) return [home];
  const isOnGitea = isPartOf(file, forgeSuite) && !notOnRealGitea.includes(file);
  const isSuite = suitesOfPorts.some((part) => isPartOf(file, part));
  const isOnEngines = file === harnessSuite || isStoryOnEngines(root, file);
  return [
    quickProject,
    ...(isSuite ? ["databases"] : []),
    ...(isOnEngines ? storyEngines : []),
    ...(isOnGitea ? ["gitea"] : []),
  ];
}

/** What `npm test` leaves to `npm test -- --all`, by project, with the number of files in each. */
export function leftToAll(root: string): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  for (const project of listTests(root).flatMap((file) => projectsOf(root, file))) {
    if (project !== quickProject) left.set(project, (left.get(project) ?? 0) + 1);
  }
  return left;
}
