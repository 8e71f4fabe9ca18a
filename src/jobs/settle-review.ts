import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { readSnippet } from "#core/diff/snippet.ts";
import type { Finding } from "#core/model/finding.ts";
import type { FindingId, HeadSha } from "#core/model/ids.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Records, ReviewRun, RunState } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { anchorFindings } from "#core/review/anchor-findings.ts";
import type { ChangedCode } from "#core/review/changed-code.ts";
import { changedSince, renamesSince, type TwoRounds } from "#core/review/changed-since.ts";
import { containsCode, type SearchableText, toSearchableText } from "#core/review/code-search.ts";
import { converge, knownAfter } from "#core/review/converge.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";
import { relocateFindings } from "#core/review/relocate-findings.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { failureId } from "#core/words/failure-id.ts";
import { lateWords } from "#core/words/late-words.ts";
import { reviewTask } from "#core/words/review-words.ts";
import { reviewedDiffBytesMax } from "#jobs/change-view.ts";
import { nextAttemptAt } from "#jobs/job-retries.ts";
import type { PassOutcome } from "#jobs/pass-outcome.ts";
import { endRun, type RunningReview } from "#jobs/running-review.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";
import { GitError } from "#ports/git.ts";

interface SinceLastRound {
  readonly diff: Diff | undefined;
  readonly changed: ChangedCode;
  readonly renames: ReadonlyMap<string, string>;
}

async function sinceLastRound(
  compared: ComparedCommits,
  { records, run, signal }: { readonly records: Records; readonly run: ReviewRun; readonly signal: AbortSignal },
): Promise<SinceLastRound> {
  const now = await readDiff(compared, compared, signal);
  const everything = { diff: now?.diff, changed: { kind: "everything" }, renames: new Map() } as const;
  const last = lastPass(records, run);
  if (now === undefined || last === undefined || run.round === 1) return everything;
  const before = await readDiff(compared, { base: compared.base, head: last.head }, signal);
  if (before === undefined) return everything;
  const { mirror, head } = compared;
  const follows = (await mirror.ancestry({ older: last.head, newer: head })) === "ancestor";
  const between = follows ? await readDiff(compared, { base: last.head, head }, signal) : null;
  if (between === undefined) return everything;
  const rounds: TwoRounds = {
    before: before.diff,
    now: now.diff,
    between: between?.diff ?? null,
    isSameBase: before.mergeBase === now.mergeBase,
  };
  const renames = renamesSince(rounds);
  return { diff: now.diff, changed: withUnread(changedSince(rounds), last.unread, renames), renames };
}

interface LastPass {
  readonly head: HeadSha;
  /** Files that it left unread were never reviewed, changed or not. */
  readonly unread: ReadonlySet<string>;
}

/** Counts rounds as `runs-to-start.ts` does. */
function lastPass(records: Records, run: ReviewRun): LastPass | undefined {
  const rounds = records.runs.flatMap(({ role, baseBranch, head, round, state }) => {
    const isOwn = role === run.role && baseBranch === run.baseBranch && head !== run.head;
    if (!isOwn || state.kind !== "completed" || state.coverage.filesRead === 0) return [];
    return [{ head, round, unread: new Set(state.coverage.unread.map(({ path }) => path)) }];
  });
  return rounds.toSorted((left, right) => left.round - right.round).at(-1);
}

function withUnread(
  changed: ChangedCode,
  unread: LastPass["unread"],
  renames: ReadonlyMap<string, string>,
): ChangedCode {
  if (changed.kind === "everything" || unread.size === 0) return changed;
  const renamed = [...renames].flatMap(([path, old]) => (unread.has(old) ? [path] : []));
  const anew = [...unread, ...renamed].map((path) => [path, { old: wholeFile, new: wholeFile }] as const);
  return { kind: "parts", paths: new Map([...changed.paths, ...anew]) };
}

const wholeFile = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];

async function readDiff(
  { mirror }: ComparedCommits,
  { base, head }: Pick<ComparedCommits, "base" | "head">,
  signal: AbortSignal,
): Promise<{ readonly diff: Diff; readonly mergeBase: HeadSha } | undefined> {
  const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal });
  if (read.kind !== "diff") return undefined;
  const parsed = parseDiff(read.bytes);
  return parsed.kind === "diff" ? { diff: parsed.diff, mergeBase: read.mergeBase } : undefined;
}

interface ComparedReview extends RunningReview {
  readonly compared: ComparedCommits;
}

/** False: the run had ended before, and nothing was written. */
export async function settleReview(reviewed: ComparedReview, outcome: PassOutcome, records: Records): Promise<boolean> {
  switch (outcome.kind) {
    case "completed":
      return await settleCompleted(reviewed, outcome, records);
    case "unread": {
      const { coverage, summary, costMicroUsd } = outcome;
      return await endRun(reviewed, (known) => ({
        change: { spentMicroUsd: known.spentMicroUsd + costMicroUsd },
        state: completed(reviewed, { coverage, summary, standing: known.findings }),
      }));
    }
    case "failed":
      return await failReview(reviewed, outcome);
    default:
      return never(outcome);
  }
}

const whyCharactersMax = 500;

export async function failReview(
  task: RunningReview,
  failure: { readonly why: string; readonly retryAt: Instant | null; readonly costMicroUsd: number },
): Promise<boolean> {
  const { context, data } = task;
  const { why, retryAt, costMicroUsd } = failure;
  const attempts = data.attempt;
  const now = context.dependencies.clock.now();
  const { instance, log } = context.dependencies;
  const { pull, run } = data;
  const id = failureId({ instance, repository: pull.repository.id, pull: pull.number }, reviewTask(run.role));
  log.warn({ job: context.key, id, attempt: attempts, why: why.slice(0, whyCharactersMax) }, "a review failed");
  const waitMs = Math.max(0, nextAttemptAt({ ...context, attempt: attempts }, retryAt) - now);
  return await endRun(task, (known) => ({
    change: { spentMicroUsd: known.spentMicroUsd + costMicroUsd },
    state: {
      kind: "failed",
      attempts,
      why: why.slice(0, whyCharactersMax),
      // The plan compares it with the forge's time, not with this machine's.
      retryAt: after(forgeNow(task), waitMs),
    },
  }));
}

async function settleCompleted(
  reviewed: ComparedReview,
  outcome: Extract<PassOutcome, { readonly kind: "completed" }>,
  records: Records,
): Promise<boolean> {
  const { context, run, rules, compared } = reviewed;
  const { diff, changed, renames } = await sinceLastRound(compared, { records, run, signal: context.signal });
  const found = diff === undefined ? outcome.findings : anchorFindings(diff, outcome.findings);
  const gone =
    diff === undefined
      ? new Set<Finding["id"]>()
      : await findVanishedFindings({ compared, diff, renames }, records.findings);
  const { roles } = rules.reviews;
  const round: Omit<ReviewRound, "known"> = {
    found,
    head: run.head,
    round: run.round,
    foundAt: forgeNow(reviewed),
    rules: rules.reviews,
    changed,
    isSecondLook: records.runs.some((one) => isEarlierPass(one, run)),
    gone,
    coverage: new Map([[run.role, outcome.coverage]]),
    renames,
    deterministicRoles: new Set(roles.filter(({ reviewer }) => reviewer === "rules").map(({ name }) => name)),
    rolesInForce: new Set(roles.map(({ name }) => name)),
  };
  // Another role may have ended meanwhile, or a person has argued: the result is merged with the records of that time.
  return await endRun(reviewed, (known) => {
    const placed = diff === undefined ? known.findings : relocateFindings(diff, known.findings, renames);
    const result = converge({ ...round, known: placed });
    const findings = knownAfter(result);
    const { coverage, costMicroUsd } = outcome;
    const late = result.dropped.filter(({ why }) => why === "late").map(({ finding }) => finding);
    const summary = [outcome.summary, lateWords(late)].filter((words) => words !== "").join("\n\n");
    return {
      state: completed(reviewed, { coverage, summary, standing: findings }),
      change: { findings, spentMicroUsd: known.spentMicroUsd + costMicroUsd },
    };
  });
}

function isEarlierPass({ role, head, baseBranch, state }: ReviewRun, run: ReviewRun): boolean {
  const isSame = role === run.role && head === run.head && baseBranch === run.baseBranch;
  return isSame && state.kind === "completed" && state.coverage.filesRead > 0;
}

function completed(
  reviewed: ComparedReview,
  look: Pick<Extract<RunState, { readonly kind: "completed" }>, "coverage" | "summary"> & {
    readonly standing: readonly Finding[];
  },
): RunState {
  const { coverage, summary, standing } = look;
  const own = standing.filter(({ role, state }) => role === reviewed.run.role && state.kind !== "resolved");
  return { kind: "completed", at: forgeNow(reviewed), coverage, findings: own.map(({ id }) => id), summary };
}

/** Requests are dated by the forge's clock, so this machine only measures the time since. */
function forgeNow({ seen, askedAt, context }: RunningReview): Instant {
  return after(seen.observedAt, Math.max(0, context.dependencies.clock.now() - askedAt));
}

interface FindingSearch {
  readonly compared: ComparedCommits;
  readonly diff: Diff;
  readonly renames: ReadonlyMap<string, string>;
}

/** Quotes from a larger file are not checked: in doubt the code is still there. */
const fileBytesMax = 5_000_000;

async function findVanishedFindings(search: FindingSearch, known: readonly Finding[]): Promise<ReadonlySet<FindingId>> {
  const newPaths = new Map([...search.renames].map(([path, old]) => [old, path]));
  const texts = new Map<string, Promise<SearchableText | null | undefined>>();
  const textOf = (path: string): Promise<SearchableText | null | undefined> => {
    const text = texts.get(path) ?? readText(search.compared, path);
    texts.set(path, text);
    return text;
  };
  const gone = new Set<FindingId>();
  for (const finding of known) {
    if (finding.state.kind === "resolved") continue;
    const path = newPaths.get(finding.path) ?? finding.path;
    const isGone =
      finding.side === "new" ? isGoneFrom(finding, await textOf(path)) : isBack(search.diff, { ...finding, path });
    if (isGone) gone.add(finding.id);
  }
  return gone;
}

async function readText({ mirror, head }: ComparedCommits, path: string): Promise<SearchableText | null | undefined> {
  try {
    const read = await mirror.readFile({ commit: head, path, bytesMax: fileBytesMax });
    if (read.kind === "absent" || read.kind === "folder") return null;
    return read.kind === "file" ? toSearchableText(decodeText(read.bytes)) : undefined;
  } catch (error) {
    // A path that no repository can have was made up and cannot be read.
    if (error instanceof GitError && error.kind === "bad_request") return undefined;
    throw error;
  }
}

function isGoneFrom({ snippet }: Finding, text: SearchableText | null | undefined): boolean {
  if (text === undefined) return false;
  if (text === null) return true;
  if (isBlankSnippet(snippet)) return false;
  // A quote may have the markers of a diff or line numbers; one reading that is found is enough.
  const forms = readSnippet(snippet).map((form) => form.new);
  if (forms.some((form) => form.isLossy || form.lines.length === 0)) return false;
  return forms.every((form) => !containsCode(form.lines.map((line) => line.text).join("\n"), text));
}

/** A finding about removed code is gone when the change no longer removes it. */
function isBack(diff: Diff, { path, snippet, side, lines }: Finding): boolean {
  if (isBlankSnippet(snippet)) return !diff.files.some((file) => file.path === path);
  const anchor = resolveAnchorInDiff(diff, { path, snippet, side, claimedLine: lines.first });
  return anchor.kind === "not_in_diff" && (anchor.why === "no_match" || anchor.why === "no_such_file");
}
