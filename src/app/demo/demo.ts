import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { consoleLog } from "#app/console-log.ts";
import { type DemoEvent } from "#app/demo/demo-event.ts";
import { createNarrator } from "#app/demo/narrator.ts";
import {
  intervalMs,
  type SceneScript,
  scenes,
  storyPull,
  storyRepository,
  storyRules,
  storyStartsAt,
} from "#app/demo/story.ts";
import { logNotifier } from "#app/log-notifier.ts";
import { runUntilIdle } from "#app/sandbox-stack/run-until-idle.ts";
import { openSandboxStack, type SandboxStack } from "#app/sandbox-stack/sandbox-stack.ts";
import { after, formatInstant } from "#core/model/instant.ts";
import { type SandboxChange, type SandboxPull } from "#forges/sandbox/sandbox.ts";
import { GitError } from "#ports/git.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { type TickReport } from "#reconcile/tick.ts";

export interface DemoOptions {
  readonly folder: string;
  readonly searchPath: string;
  readonly tell: (told: DemoEvent) => Promise<void>;
}

export type DemoEnding =
  | {
      readonly kind: "merged";
      readonly head: string;
      readonly commit: string;
      readonly tree: string;
      readonly files: DemoFiles;
    }
  | { readonly kind: "stuck"; readonly why: string };

export interface DemoFiles {
  readonly repository: string;
  readonly ledger: string;
  readonly history: string;
  readonly log: string;
}

export async function runDemo({ folder, searchPath, tell }: DemoOptions): Promise<DemoEnding> {
  const reports: TickReport[] = [];
  const logFile = join(folder, "log.jsonl");
  try {
    const stack = await openSandboxStack({
      folder,
      searchPath,
      startAt: storyStartsAt,
      repository: storyRepository,
      rules: storyRules,
      makeLog: (clock) => consoleLog({ clock, write: (line) => appendFileSync(logFile, line) }),
      makeNotifier: (log) => logNotifier(log),
      onTick: (report) => reports.push(report),
    });
    const ending = await runStory(stack, { reports, tell });
    const kept = await keepRecords(folder, stack);
    return await checkEnding(stack, ending, { ...kept, repository: stack.repositoryFolder, log: logFile });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: "stuck", why: error.message };
  }
}

async function keepRecords(folder: string, stack: SandboxStack): Promise<Pick<DemoFiles, "ledger" | "history">> {
  const { dependencies, sandbox } = stack;
  const files = { ledger: join(folder, "ledger.json"), history: join(folder, "forge.json") };
  const ledger = await dependencies.store.listObligations(pullKeyOf(dependencies.instance, storyPull(stack)));
  await writeFile(files.ledger, `${JSON.stringify(ledger, null, 2)}\n`);
  await writeFile(files.history, `${JSON.stringify(sandbox.history, null, 2)}\n`);
  return files;
}

async function checkEnding(stack: SandboxStack, ending: StoryEnding, files: DemoFiles): Promise<DemoEnding> {
  if (ending.kind === "stuck") return ending;
  const { head, commit } = ending.merged;
  const { host } = stack;
  const repository = stack.repository.name;
  const tip = (await host.refsOf(repository)).get("refs/heads/main");
  const approved = await host.findTree({ repository, commit: head });
  const landed = await host.findTree({ repository, commit });
  if (tip !== commit || approved === undefined || landed !== approved) {
    return { kind: "stuck", why: "the pull counts as merged, but main does not hold what was approved" };
  }
  return { kind: "merged", head, commit, tree: landed, files };
}

type StoryEnding =
  | { readonly kind: "merged"; readonly merged: NonNullable<SandboxPull["merged"]> }
  | { readonly kind: "stuck"; readonly why: string };

async function runStory(
  stack: SandboxStack,
  { reports, tell }: { readonly reports: readonly TickReport[]; readonly tell: (told: DemoEvent) => Promise<void> },
): Promise<StoryEnding> {
  const { clock, sandbox } = stack;
  const narrator = createNarrator(stack, { reports, tell });
  narrator.skip();
  for (const [index, scene] of scenes.entries()) {
    clock.leapTo(after(clock.now(), intervalMs));
    const { title, watch } = scene;
    await tell({ kind: "scene", number: index + 1, at: formatInstant(clock.now()), title, watch });
    await scene.happen(stack);
    await narrator.catchUp();
    const rest = await runUntilIdle(stack, {
      lastReport: () => reports.at(-1),
      afterTurn: async () => (isOver(scene, stack, await narrator.catchUp()) ? "enough" : "go_on"),
    });
    if (rest.kind === "restless") return { kind: "stuck", why: `in scene ${index + 1}, ${rest.why}.` };
  }
  const { merged, pull } = sandbox.look(storyPull(stack));
  return merged === null
    ? { kind: "stuck", why: `the last scene is over, and the pull is ${pull.state}.` }
    : { kind: "merged", merged };
}

function isOver({ endsWith }: SceneScript, { people }: SandboxStack, changes: readonly SandboxChange[]): boolean {
  if (endsWith === "rest") return false;
  return changes.some(({ by, what }) => what.kind === "pushed" && by.id === people.drover.id);
}
