import type { Guard } from "./guard.ts";
import type { Sound } from "./run-sound.ts";
import type { Verdict } from "./try-guard.ts";

export interface Judged {
  readonly guard: Guard;
  readonly verdict: Verdict;
  readonly ms: number;
}

const problemCharactersMax = 150;

/** One line about one guard. */
export function verdictLine({ guard, verdict, ms }: Judged): string {
  const seconds = `${(ms / 1_000).toFixed(0)} s`;
  switch (verdict.kind) {
    case "killed":
      return `killed   ${guard.name}: ${whence(verdict)}, ${seconds}: ${inOneLine(verdict.problem)}`;
    case "hung":
      return `killed   ${guard.name}: ${whence(verdict)}, ${seconds}: it hung`;
    default:
      return `SURVIVED ${guard.name}: ${verdict.why} (${counted(verdict.seeds)}, ${seconds})`;
  }
}

export function summaryLines(judged: readonly Judged[], sound: Sound): readonly string[] {
  const survivors = judged.filter(({ verdict }) => verdict.kind === "survived");
  const byTest = judged.filter(({ guard }) => guard.killedBy !== undefined).length;
  return [
    `${judged.length} guards removed one by one, ${judged.length - byTest} under the simulation and ${byTest} under tests: ` +
      `${judged.length - survivors.length} removals caught, ${survivors.length} survived`,
    ...survivors.map(({ guard }) => `  ${guard.name} (${guard.file}): ${guard.why}`),
    `the code as it is: ${sound.failed.length} of ${counted(sound.seeds)} failed`,
    ...sound.failed.map(
      ({ seed, problem }) => `  seed ${seed}, so that deaths of this kind prove nothing: ${inOneLine(problem)}`,
    ),
  ];
}

function whence({ by, seeds }: { readonly by: string; readonly seeds: number }): string {
  return seeds === 0 ? `by ${by}` : `by ${by} after ${counted(seeds)}`;
}

function counted(seeds: number): string {
  return seeds === 1 ? "1 seed" : `${seeds} seeds`;
}

function inOneLine(problem: string): string {
  const line = problem.split("\n")[0] ?? "";
  return line.length > problemCharactersMax ? `${line.slice(0, problemCharactersMax)}…` : line;
}
