import { reactionWords } from "#app/demo/reaction-words.ts";
import { latestChecks } from "#core/derive/checks.ts";
import type { Check, Comment, Reaction, Review } from "#core/model/conversation.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun, SessionRecord } from "#core/model/records.ts";
import { counted } from "#core/words/counted.ts";
import { plainLine } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

const quoteCharactersMax = 100;

export function observationWords(before: Observation | undefined, now: Observation): readonly string[] {
  return [
    ...pullWords(before, now),
    ...fresh(before?.comments, now.comments, ({ id }) => id)
      .filter(isOfOthers(now))
      .map(commentWords),
    ...fresh(before?.reviews, now.reviews, ({ id }) => id)
      .filter(isOfOthers(now))
      .map(reviewWords),
    ...fresh(now.reactions, before?.reactions ?? [], reactionKey).map(
      ({ author, content }) => `${author.login} took back ${reactionWords[content]}`,
    ),
    ...fresh(before?.reactions, now.reactions, reactionKey).map(
      ({ author, content }) => `${author.login} gave ${reactionWords[content]}`,
    ),
    ...fresh(checksOf(before), checksOf(now), checkKey).map(checkWords),
    ...fresh(before?.records.runs, now.records.runs, runKey).flatMap(runWords),
    ...fresh(before?.records.sessions, now.records.sessions, ({ id, state }) => `${id} ${state.kind}`).flatMap(
      sessionWords,
    ),
  ];
}

function fresh<Item>(
  known: readonly Item[] | undefined,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const keys = new Set((known ?? []).map(keyOf));
  return items.filter((item) => !keys.has(keyOf(item)));
}

function isOfOthers({ bot }: Observation): (said: Comment | Review) => boolean {
  return ({ author }) => author.id !== bot.id;
}

function pullWords(before: Observation | undefined, { pull }: Observation): readonly string[] {
  const head = shortSha(pull.head.sha);
  if (before === undefined) {
    const title = plainLine(pull.title, quoteCharactersMax);
    return [`a pull by ${pull.author.login}, "${title}", with head ${head}`];
  }
  const was = before.pull;
  const isSettled = was.mergeability.kind === "unknown" && pull.mergeability.kind !== "unknown";
  return [
    ...(was.head.sha === pull.head.sha ? [] : [`a new head ${head}, it was ${shortSha(was.head.sha)}`]),
    ...(isSettled ? [`the forge has found out: the pull is ${pull.mergeability.kind}`] : []),
    ...(was.state === pull.state ? [] : [`the pull is ${pull.state}`]),
  ];
}

function commentWords({ author, body }: Comment): string {
  return `${author.login} said "${plainLine(body, quoteCharactersMax)}"`;
}

function reviewWords({ author, state }: Review): string {
  return `${author.login} reviewed: ${state.replace("_", " ")}`;
}

function reactionKey({ author, content, createdAt }: Reaction): string {
  return `${author.id} ${content} ${createdAt}`;
}

function checksOf(seen: Observation | undefined): readonly Check[] {
  return seen === undefined ? [] : latestChecks(seen, seen.pull.head.sha);
}

function checkKey({ name, source, head, state }: Check): string {
  return JSON.stringify([name, source, head, state]);
}

const checkStates = { pending: "is running", passed: "is green", failed: "is red" } as const;

function checkWords({ name, head, state }: Check): string {
  return `the check "${name}" ${checkStates[state]} on ${shortSha(head)}`;
}

function runKey({ head, baseBranch, role, trigger, startedAt, state }: ReviewRun): string {
  return JSON.stringify([head, baseBranch, role, trigger, startedAt, state.kind]);
}

/** What Drover did tells already that the run was started. */
function runWords({ role, head, state }: ReviewRun): readonly string[] {
  if (state.kind === "running" || state.kind === "cancelled") return [];
  const review = `its ${role} review of ${shortSha(head)}`;
  if (state.kind !== "completed") return [`${review} ${state.kind === "failed" ? "failed" : "was interrupted"}`];
  const read = counted(state.coverage.filesRead, "file", "files");
  return [`${review} is done: ${read} read, ${counted(state.findings.length, "finding", "findings")}`];
}

const sessionStates: Readonly<Partial<Record<SessionRecord["state"]["kind"], string>>> = {
  pushed: "has pushed what it did",
  stalled: "came to nothing",
  failed: "failed",
  unfinished: "could not be carried through",
};

function sessionWords({ state }: SessionRecord): readonly string[] {
  const words = sessionStates[state.kind];
  return words === undefined ? [] : [`its fixing session ${words}`];
}
