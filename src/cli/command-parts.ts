import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { HelpRow } from "#cli/help-page.ts";
import type { Terminal } from "#cli/terminal.ts";
import { closestWord } from "#config/closest-word.ts";

export interface ActionContext {
  readonly terminal: Terminal;
  readonly ends: <Args extends readonly unknown[]>(
    work: (...args: Args) => Promise<number>,
  ) => (...args: Args) => Promise<void>;
}

export const json = new Option("--json", "print JSON for programs");
export const dataOption = new Option(
  "--data <dir>",
  "the folder of the embedded database (default: drover-data, or the PostgreSQL of DATABASE_URL)",
);

export function choice<const Flags extends string, const Words extends readonly string[]>(
  flags: Flags,
  about: string,
  words: Words,
) {
  return new Option(flags, about).choices(words).argParser((word) => readChoice(word, words));
}

export function readChoice<const Words extends readonly string[]>(word: string, words: Words): Words[number] {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  const meant = closestWord(word, words);
  const advice = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
  throw new InvalidArgumentError(`There is: ${words.join(", ")}.${advice}`);
}

export const secretRow: HelpRow = ["DROVER_SECRET", "signs and checks the notes that Drover leaves on pulls"];
