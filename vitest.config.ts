import { readdirSync, readFileSync } from "node:fs";
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
import type { TownEngine } from "./test/town/database.ts";

/**
 * Tests that start programs or ask a real server wait for them a good part of their time: one worker more for every two
 * processors keeps these busy.
 */
const waitingWorkers = Math.ceil(availableParallelism() * 1.5);

const seed = chanceSeed(process.env);
const setupFiles = ["test/chance-setup.ts"];

const manner = {
  // Each file is pure or makes its own temporary folder, so files may share a process: it halves the start-up time.
  isolate: false,
  // Vitest would leave one processor free, which is half of a small machine.
  maxWorkers: "100%",
  hookTimeout: 60_000,
} as const;

/**
 * `vitest run` runs everything, then the stories of towns once more on each database, and what concerns the forge once
 * more on each real Gitea.
 */
export default defineConfig({
  test: {
    ...manner,
    maxWorkers: waitingWorkers,
    name: "all",
    globalSetup: ["test/global-setup.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/real-gitea/**"],
    setupFiles,
    provide: { townEngine: "memory", giteaVersion: null, chanceSeed: seed },
    testTimeout: 120_000,
    sequence: { sequencer: RunOrder },
    projects: [
      "vitest.config.ts",
      storiesOn("embedded", 1),
      storiesOn("postgres", 2),
      ...giteaBuilds.map((build, index) => testsOn(build, 3 + index)),
    ],
  },
});

/** One after the other: a process that changes between projects is a new one, and has to open its database again. */
function storiesOn(townEngine: TownEngine, groupOrder: number) {
  return {
    test: {
      ...manner,
      name: townEngine,
      include: ["test/town/town.test.ts", ...storiesOfTowns()],
      setupFiles: townEngine === "postgres" ? [...setupFiles, "test/town/postgres-setup.ts"] : setupFiles,
      provide: { townEngine, chanceSeed: seed },
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
    test: {
      ...manner,
      maxWorkers: waitingWorkers,
      name: giteaProject(build.version),
      include: findGitea(build) === undefined ? ["test/real-gitea/server.test.ts"] : everything,
      exclude: ["test/contract/forge/declared.test.ts", "test/contract/forge/limits.test.ts"],
      setupFiles,
      provide: { giteaVersion: build.version, townEngine: "memory" as const, chanceSeed: seed },
      // A server that does everything for real, beside whatever else the machine has to do.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      sequence: { groupOrder },
    },
  };
}

/** Those that need no town have no database either. */
function storiesOfTowns(): readonly string[] {
  const folder = "test/scenarios";
  const stories = readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
    .filter((file) => readFileSync(file, "utf8").includes('from "#town/'));
  if (stories.length === 0) throw new Error(`no story in ${folder} has a town`);
  return stories;
}
