import { secretFormats } from "#core/secrets/secret-format.ts";
import type { Line } from "#reviewers/rules/changed-file.ts";
import { baseName } from "#reviewers/rules/language.ts";
import type { Hit, Rule } from "#reviewers/rules/rule.ts";
import { isPlaceholder } from "#reviewers/rules/secrets/placeholder.ts";

/** Many projects keep harmless defaults in `.env`: a value must be secret. */
export const envFile: Rule = {
  name: "env-file",
  title: "Secret in an environment file",
  score: 8,
  catches:
    "A value in an added line of `.env`, `.env.production` and the like, under a name that means a secret. Templates (`.env.example`), empty values, references and the usual defaults of a local database are left alone. The finding never repeats the value.",
  example: ".env: SESSION_SECRET=…",
  scope: "everything",
  isSecretive: true,
  applies: (file) => isEnvFile(file.path),
  check: (file) => file.added.flatMap(valueHit),
};

const valueCharactersMin = 12;
const assignment =
  /^\s*(?:export\s+)?(?<name>[A-Za-z_][A-Za-z0-9_]{0,99})\s*=\s*(?<quote>["']?)(?<value>[^\s"'#]{1,500})/;
const secretName = /(?:secret|token|passw(?:or)?d|private_?key|api_?key|access_?key|credentials?)(?:_[a-z0-9]+)?$/i;
/** What reaches the browser is public, and its names say so. */
const publicName = /^(?:VITE|NEXT_PUBLIC|REACT_APP|PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY)_/;

function isEnvFile(path: string): boolean {
  const name = baseName(path);
  return /^\.env(?:\.|$)/.test(name) && !/\.(?:example|sample|template|dist|defaults?|tpl|test|ci)$/i.test(name);
}

function valueHit(line: Line): readonly Hit[] {
  const match = assignment.exec(line.text);
  const { name = "", value = "" } = match?.groups ?? {};
  // What has a format of its own is found by the rule for it.
  if (secretFormats.some(({ shape }) => line.text.search(shape) !== -1)) return [];
  if (match === null || !secretName.test(name) || publicName.test(name) || !isSecretValue(value)) return [];
  const place = { kind: "part", line: line.number, from: 0, to: match[0].length - value.length } as const;
  const message = `\`${name}\` gets a value in a file that is committed. If the value is real, replace it where it is used and keep this file out of the repository (\`.gitignore\`); if it is an example, move it to \`.env.example\`.`;
  return [{ place, score: 8, message, suggestion: null }];
}

/** Long, with letters and digits: not `postgres`, not a path, not a reference to another variable. */
function isSecretValue(value: string): boolean {
  if (value.length < valueCharactersMin || /^[$<{/.]|localhost|127\.0\.0\.1/.test(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !isPlaceholder(value);
}
