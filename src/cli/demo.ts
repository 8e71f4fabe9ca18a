import { type DemoEnding, runDemo } from "#app/demo/demo.ts";
import type { DemoEvent } from "#app/demo/demo-event.ts";
import { prepareDemoFolder } from "#app/demo/demo-folder.ts";
import { groupIntoScenes } from "#app/demo/demo-scenes.ts";
import { type DemoPage, demoLines, pageOf } from "#cli/demo-lines.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { wrapWords } from "#cli/wrap-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

export interface DemoCall {
  readonly fast?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly folder?: string | undefined;
}

export async function demo(call: DemoCall, terminal: Terminal): Promise<number> {
  const folder = await prepareFolder(call.folder);
  return call.json === true ? await tellMachine(folder, terminal) : await tellPeople(call, folder, terminal);
}

async function prepareFolder(asked: string | undefined): Promise<string> {
  const prepared = await prepareDemoFolder(asked);
  if (prepared.kind === "ready") return prepared.folder;
  throw new UsageError(`${prepared.folder} ${prepared.why}: choose an empty folder, or one that does not exist yet.`);
}

async function tellPeople(call: DemoCall, folder: string, terminal: Terminal): Promise<number> {
  const page = pageOf(terminal);
  const hasPauses = call.fast !== true && terminal.isInteractive;
  let before: DemoEvent["kind"] | undefined;
  terminal.out(asText(introduction(folder, page)));
  const ending = await runDemo({
    folder,
    searchPath: terminal.searchPath,
    tell: async (told) => {
      terminal.out(asText([...gap(before, told.kind), ...demoLines(told, page)]));
      before = told.kind;
      if (hasPauses) await terminal.sleep(pauseMs[told.kind]);
    },
  });
  if (ending.kind === "stuck") return sayStuck(ending, folder, terminal);
  terminal.out(asText(["", "", ...endLines(ending, page)]));
  return 0;
}

function introduction(folder: string, page: DemoPage): readonly string[] {
  return [
    ...wrapWords(
      "One pull from opened to merged. The forge, its git repositories and Drover are real and run right here: no network, no key, no model. Only the waiting is left out: time leaps to whatever is due next.",
      page.columns,
    ),
    ...wrapWords(
      "Each time Drover looks at the pull, you see what it saw, what it decided and what it did; nothing of that is scripted. Only what people do is.",
      page.columns,
    ),
    "",
    `Folder: ${folder}`,
  ];
}

function gap(before: DemoEvent["kind"] | undefined, now: DemoEvent["kind"]): readonly string[] {
  if (now === "scene") return ["", ""];
  return before === "happened" && now === "happened" ? [] : [""];
}

const pauseMs: Readonly<Record<DemoEvent["kind"], number>> = {
  scene: 1_200,
  happened: 600,
  looked: 1_500,
  wrote: 1_500,
};

async function tellMachine(folder: string, terminal: Terminal): Promise<number> {
  const all: DemoEvent[] = [];
  terminal.err(`drover: everything stays in ${folder}\n`);
  const ending = await runDemo({
    folder,
    searchPath: terminal.searchPath,
    tell: async (told) => {
      all.push(told);
    },
  });
  terminal.out(`${JSON.stringify(groupIntoScenes(all), null, 2)}\n`);
  return ending.kind === "merged" ? 0 : sayStuck(ending, folder, terminal);
}

function sayStuck(
  { why }: Extract<DemoEnding, { readonly kind: "stuck" }>,
  folder: string,
  terminal: Terminal,
): number {
  terminal.err(
    `\ndrover: the pull was not merged: ${why}\nWhat there is of it is in ${folder}; log.jsonl may say more.\n`,
  );
  return 1;
}

function endLines(ending: Extract<DemoEnding, { readonly kind: "merged" }>, page: DemoPage): readonly string[] {
  const { head, commit, tree, files } = ending;
  return [
    ...wrapWords(
      `Merged. main is at ${shortSha(commit)}; its tree, ${shortSha(tree)}, is exactly that of ${shortSha(head)}, the head that was approved.`,
      page.columns,
    ),
    "",
    "The folder stays. Look for yourself:",
    "",
    `  git -C ${files.repository} log --graph --oneline`,
    "",
    `  ${files.ledger}`,
    "      each effect: who asked for it, for which head, by which rule",
    `  ${files.history}`,
    "      everything that changed on the forge, in order, whoever did it",
    `  ${files.log}`,
    "      what Drover logged",
  ];
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
