import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { chanceSeed } from "./test/chance-seed.ts";
import {
  findGitea,
  type GiteaBuild,
  giteaBuilds,
  giteaProject,
  wholeSuiteVariable,
} from "./test/real-gitea/gitea-builds.ts";
import { RunOrder } from "./test/run-order.ts";
import { vitePlugins } from "./test/simulation/guards/guard-plugins.ts";
import {
  includeOf,
  notOnRealGitea,
  notQuick,
  quickProject,
  type SlowProject,
  slowProjects,
  storiesOnEngines,
  storyEngines,
  storyTags,
  testRoots,
} from "./tools/test-tiers.ts";

/**
 * Tests that start programs or ask a real server wait for them a good part of their time: one worker more for every two
 * processors keeps these busy.
 */
const waitingWorkers = Math.ceil(availableParallelism() * 1.5);

const seed = chanceSeed(process.env);
const setupFiles = ["test/chance-setup.ts"];

/** Of the mutation runner: it takes a guard out of its file while the file is loaded. */
const plugins = [...vitePlugins(process.env, import.meta.dirname)];

const manner = {
  // Each file is pure or makes its own temporary folder, so files may share a process: it halves the start-up time.
  isolate: false,
  // Vitest would leave one processor free, which is half of a small machine.
  maxWorkers: "100%",
  hookTimeout: 60_000,
} as const;

/**
 * `vitest run` runs everything; `npm test` the quick project alone. Then come slow programs and databases, stories whose
 * subject is a crash or concurrency once more on each database, and what concerns the forge once more on each real Gitea.
 */
export default defineConfig({
  plugins,
  test: {
    ...manner,
    maxWorkers: waitingWorkers,
    name: quickProject,
    globalSetup: ["test/global-setup.ts"],
    include: testRoots.map((root) => `${root}/**/*.test.ts`),
    exclude: ["**/node_modules/**", ...notQuick],
    setupFiles,
    provide: { mayOpenDatabases: false, harnessEngine: "memory", giteaVersion: null, chanceSeed: seed },
    testTimeout: 120_000,
    sequence: { sequencer: RunOrder },
    tags: [...storyTags],
    projects: [
      "vitest.config.ts",
      ...slowProjects.map((name, index) => slowTests(name, 1 + index)),
      ...storyEngines.map((engine, index) => storiesOn(engine, 4 + index)),
      ...giteaBuilds.map((build, index) => testsOn(build, 6 + index)),
    ],
  },
});

function slowTests(name: SlowProject, groupOrder: number) {
  return {
    plugins,
    test: {
      ...manner,
      maxWorkers: waitingWorkers,
      name,
      include: [...includeOf(name)],
      setupFiles,
      provide: { mayOpenDatabases: true, harnessEngine: "memory" as const, giteaVersion: null, chanceSeed: seed },
      testTimeout: 120_000,
      sequence: { groupOrder },
    },
  };
}

/** One after the other: a process that changes between projects is a new one, and has to open its database again. */
function storiesOn(harnessEngine: (typeof storyEngines)[number], groupOrder: number) {
  return {
    plugins,
    test: {
      ...manner,
      name: harnessEngine,
      include: [...storiesOnEngines(import.meta.dirname)],
      setupFiles: harnessEngine === "postgres" ? [...setupFiles, "test/harness/postgres-setup.ts"] : setupFiles,
      provide: { mayOpenDatabases: true, harnessEngine, giteaVersion: null, chanceSeed: seed },
      // A worker that dies at every boundary takes a minute and more on a machine that is busy.
      testTimeout: 300_000,
      sequence: { groupOrder },
    },
  };
}

/**
 * The suite that all forges pass, and stories, on a real server: all of it on the newest, and on the others what differs
 * between versions, since a push takes a second there. `npm run test:gitea` runs everything everywhere. Where a server was
 * not built there is one test alone, which is skipped and says how to get it. Two files of the suite are about other things
 * than a forge.
 */
function testsOn(build: GiteaBuild, groupOrder: number) {
  const isWhole = build === giteaBuilds.at(-1) || process.env[wholeSuiteVariable] === "1";
  const suite = isWhole
    ? ["*"]
    : ["merge", "permissions", "pull", "review-changes", "reviews", "submit-review", "threads"];
  const everything = [...suite.map((name) => `test/contract/forge/${name}.test.ts`), "test/real-gitea/*.test.ts"];
  return {
    plugins,
    test: {
      ...manner,
      maxWorkers: waitingWorkers,
      name: giteaProject(build.version),
      include: findGitea(build) === undefined ? ["test/real-gitea/server.test.ts"] : everything,
      exclude: [...notOnRealGitea],
      setupFiles,
      provide: {
        mayOpenDatabases: true,
        giteaVersion: build.version,
        harnessEngine: "memory" as const,
        chanceSeed: seed,
      },
      // A server that does everything for real, beside whatever else the machine has to do.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      sequence: { groupOrder },
    },
  };
}
