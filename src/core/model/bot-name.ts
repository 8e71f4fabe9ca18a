import { foldName } from "#core/fold-name.ts";
import type { Account } from "#core/model/account.ts";

/** Programs that run under these very names, as their own documentation has it. */
const knownNames: ReadonlySet<string> = new Set([
  "dependabot",
  "renovate",
  "gitea-actions",
  "forgejo-actions",
  "github-actions",
  "mergify",
  "pre-commit-ci",
  "codecov",
  "sonarcloud",
  "allcontributors",
]);

/** Without something before the word it is part of a name: Talbot is a person. */
const botEnding = /(?:\[bot\]|[-_.]bot)$/;

/** For forges that do not tell. In doubt it is a person. */
export function kindByName(login: string): Account["kind"] {
  const name = foldName(login);
  return knownNames.has(name) || botEnding.test(name) ? "bot" : "person";
}
