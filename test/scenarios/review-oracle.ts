import type { HeadSha, ReviewId, ThreadId } from "#core/model/ids.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { Harness } from "#harness/harness.ts";
import { botReviews, gateOf, managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { type Defect, trimmed } from "./fickle-model.ts";

/** Judges what a reader of the forge has seen, from the forge's own history. It knows what the model's words mean. */
export interface ReviewOracle {
  /** What was pushed, so that it can be known which defects a head has. */
  note(head: HeadSha, files: Readonly<Record<string, string | null>>): void;
  /** Everything that should never have happened; empty where all is well. */
  wrongs(): readonly string[];
  /** The same for what must be so once nothing is under way. */
  wrongsAtRest(): readonly string[];
  openFindings(): number;
  /** Whether a head has the defect. */
  has(head: HeadSha, defect: Defect): boolean;
  /** Whether it was told and mended, and stands in the last head again without having been told since. */
  isBackUntold(defect: Defect): boolean;
}

interface Oracle {
  readonly harness: Harness;
  readonly pull: PullRef;
  readonly defects: readonly Defect[];
  readonly heads: { readonly head: HeadSha; readonly files: Readonly<Record<string, string>> }[];
}

export function watchReviews(harness: Harness, pull: PullRef, defects: readonly Defect[]): ReviewOracle {
  const oracle: Oracle = { harness, pull, defects, heads: [] };
  return {
    note: (head, changes) => {
      const files = { ...oracle.heads.at(-1)?.files, ...changes };
      const there = Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
      oracle.heads.push({ head, files: Object.fromEntries(there) });
    },
    wrongs: () => wrongsOf(oracle),
    wrongsAtRest: () => wrongsAtRest(oracle),
    openFindings: () => openFindings(oracle),
    has: (head, defect) => hasDefect(oracle, head, defect),
    isBackUntold: (defect) => isBackUntold(oracle, defect),
  };
}

function hasDefect({ heads }: Oracle, head: HeadSha, { path, code }: Defect): boolean {
  const text = heads.find((one) => one.head === head)?.files[path] ?? "";
  return `\n${trimmed(text)}\n`.includes(`\n${trimmed(code)}\n`);
}

/** How often a defect had come (back) until this head: each life of it may be told once. */
function lifeOf(oracle: Oracle, head: HeadSha, defect: Defect): number {
  const upTo = oracle.heads.slice(0, oracle.heads.findIndex((one) => one.head === head) + 1);
  const states = upTo.map((one) => hasDefect(oracle, one.head, defect));
  return states.filter((isHere, index) => isHere && states[index - 1] !== true).length;
}

interface Walk {
  readonly oracle: Oracle;
  readonly wrongs: string[];
  head: HeadSha;
  /** Threads by what they are about, with the life of the defect that they tell of. */
  readonly told: Map<ThreadId, { readonly defect: Defect; readonly life: number; readonly isBlocking: boolean }>;
  readonly closings: Map<ThreadId, number>;
  readonly requests: Set<ReviewId>;
  hasApprovedSince: boolean;
}

function wrongsOf(oracle: Oracle): readonly string[] {
  return walkHistory(oracle).wrongs;
}

function isBackUntold(oracle: Oracle, defect: Defect): boolean {
  const { head, told } = walkHistory(oracle);
  if (!hasDefect(oracle, head, defect)) return false;
  const lives = [...told.values()].filter((one) => one.defect === defect).map(({ life }) => life);
  return lives.length > 0 && !lives.includes(lifeOf(oracle, head, defect));
}

function walkHistory(oracle: Oracle): Walk {
  const { harness, pull } = oracle;
  const walk: Walk = {
    oracle,
    wrongs: [],
    head: harness.headOf(pull),
    told: new Map(),
    closings: new Map(),
    requests: new Set(),
    hasApprovedSince: false,
  };
  for (const change of harness.sandbox.history) {
    if (change.what.kind === "opened") walk.head = change.what.head;
    if (change.what.kind === "head_changed") walk.head = change.what.to;
    if (change.by.id === harness.bot.id) judge(walk, change.what);
  }
  return walk;
}

function judge(walk: Walk, what: SandboxChange["what"]): void {
  switch (what.kind) {
    case "reviewed":
      for (const thread of what.threads) judgeRemark(walk, thread, what.head);
      if (what.event === "approve") judgeGreen(walk, "approved");
      if (what.event === "approve") walk.hasApprovedSince = true;
      if (what.event === "request_changes") walk.requests.add(what.review);
      if (what.event === "request_changes") walk.hasApprovedSince = false;
      return;
    case "gate_set":
      if (what.state === "success") judgeGreen(walk, "gate");
      return;
    case "commented":
      if (what.thread !== null && what.body.includes("Fixed in")) judgeClosing(walk, what.thread);
      return;
    case "thread_resolved":
      if (isThere(walk, what.thread))
        walk.wrongs.push(`resolved while the code is there: ${nameOf(walk, what.thread)}`);
      return;
    case "review_dismissed":
    case "review_edited":
      if (!walk.requests.has(what.review)) return;
      if (what.kind === "review_dismissed") walk.wrongs.push("a request for changes was dismissed");
      else if (walk.hasApprovedSince) walk.wrongs.push("a request for changes was edited after its end");
      return;
    case "comment_deleted":
    case "merged":
    case "pushed":
      walk.wrongs.push(`it has ${what.kind}`);
      return;
    default:
  }
}

function judgeRemark(walk: Walk, thread: ThreadId, head: HeadSha): void {
  const { harness, pull, defects } = walk.oracle;
  const body = harness.look(pull).threads.find(({ id }) => id === thread)?.comments[0]?.body ?? "";
  const defect = defects.find(({ tellings }) => tellings.some(({ message }) => body.includes(message)));
  if (defect === undefined) {
    walk.wrongs.push(`nobody knows this remark: ${body}`);
    return;
  }
  if (!hasDefect(walk.oracle, head, defect)) walk.wrongs.push(`told of code that is not there: ${ruleOf(defect)}`);
  const life = lifeOf(walk.oracle, head, defect);
  const isSaid = [...walk.told.values()].some((one) => one.defect === defect && one.life === life);
  if (isSaid) walk.wrongs.push(`said twice: ${ruleOf(defect)}`);
  walk.told.set(thread, { defect, life, isBlocking: body.includes("**Blocking") });
}

/** Nothing green over a blocker that was told and is still there. */
function judgeGreen(walk: Walk, what: string): void {
  for (const { defect, life, isBlocking } of walk.told.values()) {
    const stands = hasDefect(walk.oracle, walk.head, defect) && lifeOf(walk.oracle, walk.head, defect) === life;
    if (isBlocking && stands) walk.wrongs.push(`${what} over a blocker: ${ruleOf(defect)}`);
  }
}

function judgeClosing(walk: Walk, thread: ThreadId): void {
  const count = (walk.closings.get(thread) ?? 0) + 1;
  walk.closings.set(thread, count);
  if (count > 1) walk.wrongs.push(`answered twice: ${nameOf(walk, thread)}`);
  if (isThere(walk, thread)) walk.wrongs.push(`called fixed while the code is there: ${nameOf(walk, thread)}`);
}

function isThere(walk: Walk, thread: ThreadId): boolean {
  const told = walk.told.get(thread);
  if (told === undefined || !hasDefect(walk.oracle, walk.head, told.defect)) return false;
  return lifeOf(walk.oracle, walk.head, told.defect) === told.life;
}

function nameOf(walk: Walk, thread: ThreadId): string {
  const told = walk.told.get(thread);
  return told === undefined ? thread : ruleOf(told.defect);
}

function ruleOf({ tellings }: Defect): string {
  return tellings[0].rule;
}

function wrongsAtRest(oracle: Oracle): readonly string[] {
  const { harness, pull, defects } = oracle;
  const head = harness.headOf(pull);
  const isReviewed = botReviews(harness, pull).some(({ body }) => body.includes(head.slice(0, 7)));
  const gate = gateOf(harness, pull);
  const unanswered = harness.look(pull).threads.flatMap(({ comments, isResolved }) => {
    const defect = defects.find(({ tellings }) => tellings.some(({ message }) => comments[0]?.body.includes(message)));
    if (defect === undefined || hasDefect(oracle, head, defect)) return [];
    const isAnswered = comments.length > 1 && (isResolved || harness.sandbox.manner === "gitea");
    return isAnswered ? [] : [`gone and not closed: ${ruleOf(defect)}`];
  });
  return [
    ...wrongsOf(oracle),
    ...(isReviewed ? [] : ["the last head was not reviewed"]),
    ...(gate === "success" || gate === "failure" ? [] : [`the gate is ${gate}`]),
    ...(managedComments(harness, pull).length === 1 ? [] : ["there is not one managed comment"]),
    ...unanswered,
  ];
}

function openFindings({ harness, pull }: Oracle): number {
  const [managed] = managedComments(harness, pull);
  const counts = /\*\*Findings:\*\* (\d+) blocking, (\d+) other/.exec(managed?.body ?? "");
  return Number(counts?.[1] ?? 0) + Number(counts?.[2] ?? 0);
}
