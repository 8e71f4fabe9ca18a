import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { consoleLog } from "#app/console-log.ts";
import { storyPull, storyRepository, storyRules, storyStartsAt } from "#app/demo/story.ts";
import { type StoryEnding, tellStory } from "#app/demo/tell-story.ts";
import type { Told } from "#app/demo/told.ts";
import { logNotifier } from "#app/log-notifier.ts";
import { openSandboxTown, type SandboxTown } from "#app/sandbox-town/sandbox-town.ts";
import { GitError } from "#ports/git.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { TickReport } from "#reconcile/tick.ts";

export interface DemoOptions {
  /** An empty one; everything stays in it. */
  readonly folder: string;
  readonly searchPath: string;
  readonly tell: (told: Told) => Promise<void>;
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
    const town = await openSandboxTown({
      folder,
      searchPath,
      startAt: storyStartsAt,
      repository: storyRepository,
      rules: storyRules,
      makeLog: (clock) => consoleLog({ clock, write: (line) => appendFileSync(logFile, line) }),
      makeNotifier: (log) => logNotifier(log),
      onTick: (report) => reports.push(report),
    });
    const ending = await tellStory(town, { reports, tell });
    const kept = await keepRecords(folder, town);
    return await checkEnding(town, ending, { ...kept, repository: town.repositoryFolder, log: logFile });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: "stuck", why: error.message };
  }
}

async function keepRecords(folder: string, town: SandboxTown): Promise<Pick<DemoFiles, "ledger" | "history">> {
  const { parts, sandbox } = town;
  const files = { ledger: join(folder, "ledger.json"), history: join(folder, "forge.json") };
  const ledger = await parts.store.listObligations(pullKeyOf(parts.instance, storyPull(town)));
  await writeFile(files.ledger, `${JSON.stringify(ledger, null, 2)}\n`);
  await writeFile(files.history, `${JSON.stringify(sandbox.history, null, 2)}\n`);
  return files;
}

/** The forge says that it merged; git says what. */
async function checkEnding(town: SandboxTown, ending: StoryEnding, files: DemoFiles): Promise<DemoEnding> {
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
