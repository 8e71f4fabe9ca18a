import type { Observation } from "#core/model/observation.ts";
import type { RoleSituation } from "#core/model/situation.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain.ts";
import { shortSha } from "#core/words/short-sha.ts";

const failureCharactersMax = 500;

export function dismissedManualReview(head: string): string {
  return (
    `This request is covered by the automatic review of ${codeSpan(shortSha(head))}, so it was not run a second time. ` +
    "Its result is in the review on this pull."
  );
}

export function failedReview(seen: Observation, role: Extract<RoleSituation, { readonly kind: "given_up" }>): string {
  const text = [
    `**The ${role.role} review of ${codeSpan(shortSha(seen.pull.head.sha))} failed** and will not be tried again by itself.`,
    `> ${plainLine(role.why, failureCharactersMax)}`,
    `Comment ${codeSpan(`${seen.rules.handle} review`)} to try again; a new push is reviewed anyway.`,
  ];
  return outgoing(text.join("\n\n"), seen.rules.handle);
}
