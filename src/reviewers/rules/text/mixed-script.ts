import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";
import { syntaxOf } from "#reviewers/rules/syntax.ts";

export const mixedScript: Rule = {
  name: "mixed-script",
  title: "Name with a look-alike letter",
  score: 8,
  catches:
    "A name in code that mixes Latin letters with Cyrillic or Greek ones that look the same, so that two different names read alike. Names in one script, and Greek letters that are recognisable (`Δt`, `μs`), are left alone.",
  example: "isАdmin, with a Cyrillic А",
  scope: "written",
  applies: (file) => syntaxOf(file.language) !== null,
  check: (file) => addedCode(file).flatMap(mixedHit),
};

/** They look like Latin letters in the usual fonts. */
const lookAlikes = /[АВЕКМНОРСТХаеорсухѕіјһԁԛԝЅІЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]/u;
const otherLetters = /\P{Script=Latin}/u;

function mixedHit(line: Line): readonly Hit[] {
  if (!lookAlikes.test(line.code)) return [];
  const names = line.code.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const mixed = names.find(isMixed);
  if (mixed === undefined) return [];
  const letter = Array.from(mixed).find((one) => lookAlikes.test(one)) ?? "";
  const point = `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const message = `The name ${codeSpan(mixed.slice(0, 60))} holds ${codeSpan(letter)} (${point}), which is not the Latin letter it looks like. Write the name with letters of one script.`;
  return [hitLine(line.number, { score: 8, message })];
}

/** A word that is openly in another script deceives nobody. */
function isMixed(name: string): boolean {
  const letters = Array.from(name).filter((one) => /\p{L}/u.test(one));
  const foreign = letters.filter((one) => otherLetters.test(one));
  return foreign.length > 0 && foreign.length < letters.length && foreign.every((one) => lookAlikes.test(one));
}
