import { type Finding, findingLimits, type Resolution } from "#core/model/finding.ts";
import type { Observation } from "#core/model/observation.ts";
import { never } from "#core/never.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeBlock, codeSpan, plainLine, plainText } from "#core/words/plain-text.ts";
import { shortPath } from "#core/words/short-path.ts";
import { shortSha } from "#core/words/short-sha.ts";

const lineCharactersMax = 300;
const messageCharactersMax = 4_000;

export function findingRemark(seen: Observation, finding: Finding): string {
  const parts = [
    `**${weight(finding)}** · ${codeSpan(finding.rule)}`,
    plainText(finding.message, messageCharactersMax),
    ...(finding.assessment === "" ? [] : [plainText(finding.assessment, messageCharactersMax)]),
    ...suggestionBlock(finding),
  ];
  return outgoing(parts.join("\n\n"), seen.rules.handle);
}

export function findingNote(seen: Observation, finding: Finding): string {
  return outgoing(`${weight(finding)} (${finding.rule}): ${finding.message}`, seen.rules.handle);
}

/** Whole or not at all: applying half of a suggestion deletes the other half. */
function suggestionBlock({ suggestion }: Finding): readonly string[] {
  if (suggestion === null || suggestion.length > findingLimits.suggestionCharactersMax) return [];
  return [codeBlock(suggestion, "suggestion")];
}

export function findingLine(finding: Finding): string {
  const { first, last } = finding.lines;
  const place = codeSpan(`${shortPath(finding.path)}:${first}${last > first ? `-${last}` : ""}`);
  return `${place} ${plainLine(finding.message, lineCharactersMax)} (${codeSpan(finding.rule)}, score ${finding.score})`;
}

/** The resolution comes first, so that the line does not look like a task. */
export function settledLine(finding: Finding): string {
  const how = finding.state.kind === "resolved" ? howWords(finding.state.resolution) : "";
  const { path, lines, message } = finding;
  return `${how}: ${codeSpan(`${shortPath(path)}:${lines.first}`)} ${plainLine(message, settledCharactersMax)}`;
}

const settledCharactersMax = 120;

function howWords(resolution: Resolution): string {
  switch (resolution.how) {
    case "fixed":
      return `fixed in ${codeSpan(shortSha(resolution.head))}`;
    case "conceded":
      return "withdrawn";
    case "waived":
      return `waived by ${codeSpan(resolution.by)}`;
    default:
      return never(resolution);
  }
}

export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((left, right) => right.score - left.score || compareFindings(left, right));
}

function weight(finding: Finding): string {
  return finding.isBlocking ? `Blocking, score ${finding.score}` : `Problem, score ${finding.score}`;
}

export function closedFinding(seen: Observation, resolution: Resolution): string {
  return outgoing(closing(resolution), seen.rules.handle);
}

function closing(resolution: Resolution): string {
  switch (resolution.how) {
    case "fixed":
      return `Fixed in ${codeSpan(shortSha(resolution.head))}.`;
    case "conceded":
      return "Agreed: this finding is withdrawn.";
    case "waived":
      return `Waived by ${codeSpan(resolution.by)} for ${codeSpan(shortSha(resolution.head))}.`;
    default:
      return never(resolution);
  }
}
