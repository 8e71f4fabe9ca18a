import type { RoleBrief } from "#core/review/role-brief.ts";

export const bareBrief: RoleBrief = {
  model: null,
  instructions: null,
  paths: [],
  pathInstructions: [],
  problemScore: 5,
  injection: { isTold: true, verifier: null },
  delivery: "now",
};

/** The default instructions of roles with these names; any other name is a general role. */
export function builtInInstructions(role: string): string {
  return words.get(role) ?? words.get("general") ?? "";
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
