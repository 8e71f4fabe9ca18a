import { addedCode, type Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const unsafeYaml: Rule = {
  name: "unsafe-yaml",
  title: "YAML that may build any object",
  score: 7,
  catches:
    "`yaml.load(…)` of PyYAML without a loader, or with `yaml.Loader` or `yaml.UnsafeLoader`: a document can then run code. `safe_load` and `SafeLoader` are left alone.",
  example: "settings = yaml.load(stream)",
  scope: "written",
  applies: (file) => file.language === "python" && !file.isTest,
  check: (file) => addedCode(file).flatMap(yamlHit),
};

/** One argument without brackets, and a loader; the rest is left to people. */
const load =
  /(?<![\w.])yaml\.load\((?<source>\s*[^(),]+(?:\([^()]*\))?)(?:,\s*(?:Loader\s*=\s*)?yaml\.(?:Unsafe)?Loader\s*)?\)/;

function yamlHit({ number, text, code }: Line): readonly Hit[] {
  const match = load.exec(code);
  if (match === null) return [];
  const source = match.groups?.["source"] ?? "";
  const from = match.index + "yaml.load(".length;
  const safe = `yaml.safe_load(${text.slice(from, from + source.length).trim()})`;
  const suggestion = text.slice(0, match.index) + safe + text.slice(match.index + match[0].length);
  const message =
    "`yaml.load` builds whatever objects the document asks for, which can run code. Use `yaml.safe_load`, which knows plain data only.";
  return [hitLine(number, { score: 7, message, suggestion })];
}
