import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { consoleLog } from "#app/console-log.ts";
import type { DemoEvent } from "#app/demo/demo-event.ts";
import { runStory, type StoryEnding } from "#app/demo/run-story.ts";
import { storyPull, storyRepository, storyRules, storyStartsAt } from "#app/demo/story.ts";
import { logNotifier } from "#app/log-notifier.ts";
import { openSandboxStack, type SandboxStack } from "#app/sandbox-stack/sandbox-stack.ts";
import { GitError } from "#ports/git.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { TickReport } from "#reconcile/tick.ts";

export interface DemoOptions {
  /** An empty one; everything stays in it. */
  readonly folder: string;
  readonly searchPath: string;
  readonly tell: (told: DemoEvent) => Promise<void>;
}

export type DemoEnding =
  | {
      readonly kind: "merged";
      /** What was approved, what landed, and the tree that both have. */
      readonly head: string;
      readonly commit: string;
      readonly tree: string;
      readonly files: DemoFiles;
    }
  | { readonly kind: "stuck"; readonly why: string };

/** Where to look afterwards. */
export interface DemoFiles {
  readonly repository: string;
  readonly ledger: string;
  readonly history: string;
  readonly log: string;
}

/** The life of one pull, from opened to merged, on a sandbox forge in a folder. */
export async function runDemo({ folder, searchPath, tell }: DemoOptions): Promise<DemoEnding> {
  const reports: TickReport[] = [];
  const logFile = join(folder, "log.jsonl");
  try {
    const town = await openSandboxStack({
      folder,
      searchPath,
      startAt: storyStartsAt,
      repository: storyRepository,
      rules: storyRules,
      makeLog: (clock) => consoleLog({ clock, write: (line) => appendFileSync(logFile, line) }),
      makeNotifier: (log) => logNotifier(log),
      onTick: (report) => reports.push(report),
    });
    const ending = await runStory(town, { reports, tell });
    const kept = await keepRecords(folder, town);
    return await checkEnding(town, ending, { ...kept, repository: town.repositoryFolder, log: logFile });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: "stuck", why: error.message };
  }
}

async function keepRecords(folder: string, town: SandboxStack): Promise<Pick<DemoFiles, "ledger" | "history">> {
  const { dependencies, sandbox } = town;
  const files = { ledger: join(folder, "ledger.json"), history: join(folder, "forge.json") };
  const ledger = await dependencies.store.listObligations(pullKeyOf(dependencies.instance, storyPull(town)));
  await writeFile(files.ledger, `${JSON.stringify(ledger, null, 2)}\n`);
  await writeFile(files.history, `${JSON.stringify(sandbox.history, null, 2)}\n`);
  return files;
}

/** The forge says that it merged; git says what. */
async function checkEnding(town: SandboxStack, ending: StoryEnding, files: DemoFiles): Promise<DemoEnding> {
  if (ending.kind === "stuck") return ending;
  const { head, commit } = ending.merged;
  const { host } = town;
  const repository = town.repository.name;
  const tip = (await host.refsOf(repository)).get("refs/heads/main");
  const approved = await host.findTree({ repository, commit: head });
  const landed = await host.findTree({ repository, commit });
  if (tip !== commit || approved === undefined || landed !== approved) {
    return { kind: "stuck", why: "the pull counts as merged, but main does not hold what was approved" };
  }
  return { kind: "merged", head, commit, tree: landed, files };
}
