import { execFileSync } from "node:child_process";

/** Another number than that of the commit: `DROVER_CHANCE=7 npm test`. */
const chanceVariable = "DROVER_CHANCE";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the chance of this run's random tests begins. */
    readonly chanceSeed: number;
  }
}

/**
 * Random tests take their chance from the files of the commit: what passed on it passes on it everywhere, and the next one
 * looks elsewhere. A run that takes another chance each time would refuse what somebody has just seen to pass.
 */
export function chanceSeed(env: Readonly<Record<string, string | undefined>>, tree = findTree()): number {
  const given = env[chanceVariable];
  if (given === undefined || given === "") return Number.parseInt(tree.slice(0, 7), 16);
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Error(`${chanceVariable} is ${JSON.stringify(given)}: expected a whole number of at most nine digits`);
}

function findTree(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD^{tree}"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    // A copy without its history is as good as any other.
    return "1";
  }
}
