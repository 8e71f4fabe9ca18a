import { finishReviews } from "#app/demo/finish-reviews.ts";
import { openedPull, people, shas } from "#app/demo/opened-pull.ts";
import { type PaperPull, passTime, push, react, report, say } from "#app/demo/paper-pull.ts";
import { settle } from "#app/demo/settle.ts";
import { derive } from "#core/derive/derive.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { formatInstant, minuteMs } from "#core/model/instant.ts";
import { actionWords } from "#core/words/action-words.ts";
import { counted } from "#core/words/counted.ts";
import { turnLine } from "#core/words/flight-plan-words.ts";
import { gateWords } from "#core/words/gate-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

/** One thing that happened, and what Drover made of it. */
export interface Scene {
  readonly at: string;
  readonly title: string;
  readonly saw: string;
  readonly decided: string;
  readonly did: readonly string[];
}

interface Beat {
  readonly title: string;
  readonly happen: (pull: PaperPull) => PaperPull;
}

const leakedKey: Omit<RawFinding, "role"> = {
  rule: "leaked-secret",
  path: "src/client.ts",
  side: "new",
  lines: { first: 4, last: 4 },
  snippet: 'const key = "sk-live-1f9a";',
  message: "A live key is written into the code.",
  assessment: "Anybody who can read the repository can use it.",
  score: 9,
  suggestion: 'const key = process.env["API_KEY"];',
};

const beats: readonly Beat[] = [
  { title: "ada opens the pull; her code holds a key", happen: (pull) => pull },
  { title: "the review comes back with a blocking finding", happen: (pull) => finishReviews(pull, [leakedKey]) },
  {
    title: "ada wants quiet while she works: disable-reviews for 2h",
    happen: (pull) => say(pull, people.ada, "@drover disable-reviews for 2h"),
  },
  { title: "ada pushes the fix; nobody reviews it", happen: (pull) => push(pull, shas.fixed) },
  { title: "ada is ready: enable-reviews", happen: (pull) => say(pull, people.ada, "@drover enable-reviews") },
  {
    title: "the review comes back clean, the checks are green",
    happen: (pull) => report(finishReviews(pull, []), "passed"),
  },
  { title: "ada asks: status", happen: (pull) => say(pull, people.ada, "@drover status") },
  {
    title: "rita gives a thumb, and ada pushes once more before anybody has looked",
    happen: (pull) => push(passTime(react(pull, people.rita, "+1"), minuteMs), shas.extra),
  },
  {
    title: "the new head is reviewed and its checks are green",
    happen: (pull) => report(finishReviews(pull, []), "passed"),
  },
  {
    title: "rita takes her thumb away and gives it again, to the head that is there now",
    happen: (pull) => react({ ...pull, reactions: [] }, people.rita, "+1"),
  },
  {
    title: "the thumb was given in the second of that look, which proves nothing; the next look settles it",
    happen: (pull) => pull,
  },
];

/** The story of one pull from opened to merged, told by the same derive and plan that run a server. */
export function* tellStory(): Generator<Scene, void, void> {
  let pull = openedPull();
  for (const beat of beats) {
    pull = beat.happen(passTime(pull, minuteMs));
    const situation = derive(pull);
    const settled = settle(pull);
    yield {
      at: formatInstant(pull.observedAt),
      title: beat.title,
      saw: sawWords(pull),
      decided: plain(`${turnLine(pull, situation)} Gate: ${gateWords(situation.gate)}.`),
      did: settled.done.map(actionWords),
    };
    pull = settled.pull;
  }
}

function sawWords(pull: PaperPull): string {
  const comments = counted(pull.comments.length, "comment", "comments");
  return `head ${shortSha(pull.pull.head.sha)}, ${comments}, ${counted(pull.reactions.length, "reaction", "reactions")}`;
}

/** The words are written for a page; a terminal needs no marks. */
function plain(markdown: string): string {
  return markdown.replace(/[*`]/g, "");
}
