import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import type { TownEngine } from "./test/town/database.ts";

const manner = {
  // Each file is pure or makes its own temporary folder, so files may share a process: it halves the start-up time.
  isolate: false,
  // Vitest would leave one processor free, which is half of a small machine.
  maxWorkers: "100%",
  hookTimeout: 60_000,
} as const;

/** `vitest run` runs everything, and then the stories of towns once more on each database. */
export default defineConfig({
  test: {
    ...manner,
    name: "all",
    globalSetup: ["test/global-setup.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    provide: { townEngine: "memory" },
    testTimeout: 60_000,
    projects: ["vitest.config.ts", storiesOn("embedded", 1), storiesOn("postgres", 2)],
  },
});

/** One after the other: a process that changes between projects is a new one, and has to open its database again. */
function storiesOn(townEngine: TownEngine, groupOrder: number) {
  return {
    test: {
      ...manner,
      name: townEngine,
      include: ["test/town/town.test.ts", ...storiesOfTowns()],
      setupFiles: townEngine === "postgres" ? ["test/town/postgres-setup.ts"] : [],
      provide: { townEngine },
      // A worker that dies at every boundary takes a minute and more on a machine that is busy.
      testTimeout: 300_000,
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
