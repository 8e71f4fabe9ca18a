import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const predictableSecret: Rule = {
  name: "predictable-secret",
  title: "Secret made with a predictable generator",
  score: 7,
  catches:
    "A token, password, nonce or the like made with `Math.random().toString(…)` or Python's `random`, whose output can be computed from earlier output. Other random values, and tests, are left alone.",
  example: "const resetToken = Math.random().toString(36).slice(2);",
  scope: "written",
  applies: (file) => !file.isTest && (file.language === "javascript" || file.language === "python"),
  check: (file) => addedCode(file).flatMap((line) => secretHit(file, line)),
};

const shapes = {
  javascript:
    /\b(?<name>\w*(?:token|secret|passw(?:or)?d|nonce|otp|salt|api_?key|session_?id))\s*(?::\s*string\s*)?[:=](?!=).*\bMath\.random\(\)\s*\.toString\(/i,
  python:
    /\b(?<name>\w*(?:secret|passw(?:or)?d|nonce|otp|salt|api_?key|session_?id|(?:reset|access|auth|csrf|api)_?token))\s*=(?!=).*\brandom\.(?:choice|choices|sample|randint|randrange|getrandbits|random)\(/i,
} as const;

function secretHit({ language }: ChangedFile, { number, code }: Line): readonly Hit[] {
  if (language !== "javascript" && language !== "python") return [];
  const name = shapes[language].exec(code)?.groups?.["name"];
  if (name === undefined) return [];
  const better = language === "python" ? "the module `secrets`" : "`crypto.randomUUID()` or `crypto.getRandomValues()`";
  const message = `${codeSpan(name)} is made with a generator whose next values can be computed from earlier ones. Use ${better}.`;
  return [hitLine(number, { score: 7, message })];
}
