import type { RoleBrief } from "#reviewers/model/review-settings.ts";

/** What roles of these names look for when nobody says otherwise; any other name is a general role. */
export function builtInBrief(role: string): RoleBrief {
  const instructions = words.get(role) ?? words.get("general") ?? "";
  return { instructions, paths: [], pathInstructions: [], problemScore: 5 };
}

const words: ReadonlyMap<string, string> = new Map([
  ["general", "Anything that would hurt users or whoever maintains this."],
  [
    "security",
    "Only what an attacker could use: input that is trusted, missing checks of rights, injection, leaked secrets, weak cryptography, unsafe defaults, dependencies from odd places.",
  ],
  ["tests", "Only tests: behaviour that changed and is not tested, tests that cannot fail, tests that depend on time."],
  ["performance", "Only what costs time, memory or money at scale: queries in loops, needless work, unbounded growth."],
]);
