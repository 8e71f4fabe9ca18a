import { composeBody } from "#act/compose-body.ts";
import type { PullContext } from "#act/pull-context.ts";
import { compareText } from "#core/compare-text.ts";
import type { AnchorRange } from "#core/diff/anchor.ts";
import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { writeFindingMark } from "#core/effects/finding-mark.ts";
import type { Finding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import { findingRemark } from "#core/words/finding-words.ts";
import { openComparison } from "#observe/change-facts.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";

export interface ComposedReview {
  readonly body: string;
  readonly remarks: readonly ReviewRemark[];
  /** Marks of findings that are only in the words: some of their state blocks may not have fitted. */
  readonly inText: readonly string[];
}

export function readComposed(stored: string): ComposedReview {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `JSON.stringify` of this very type, into our own store.
  return JSON.parse(stored) as ComposedReview;
}

export async function unsaidFindings(
  context: PullContext,
  standing: readonly FindingId[],
): Promise<readonly Finding[]> {
  const candidates = context.seen.records.findings.filter(({ id, thread }) => thread === null && standing.includes(id));
  if (candidates.length === 0) return [];
  const sent = await sentReviews(context);
  return candidates
    .filter((finding) => !isShown(context, finding) && !sent.some((review) => isSaidIn(review, finding)))
    .toSorted((left, right) => right.score - left.score || compareText(left.id, right.id));
}

/** Remarks that were only composed are not among them. */
async function sentReviews({ dependencies, key }: PullContext): Promise<readonly ComposedReview[]> {
  const ledger = await dependencies.store.listObligations(key);
  return ledger.flatMap(({ kind, state, text }) => {
    const isReview = kind === "review" || kind === "remarks";
    const isSent = state.kind !== "ready";
    return isReview && isSent && text !== null ? [readComposed(text)] : [];
  });
}

function isSaidIn({ body, remarks, inText }: ComposedReview, finding: Finding): boolean {
  const mark = writeFindingMark(finding);
  if (inText.includes(mark) || remarks.some((remark) => remark.body.startsWith(mark))) return true;
  const name = `"subject":${JSON.stringify(finding.id)},"type":"review-finding"`;
  return body.split("\n").some((line) => line.includes(name) && line.includes(`"head":"${finding.head}"`));
}

/** Works even with the database lost: the pull shows what was said. */
function isShown({ blocks }: PullContext, { id, head }: Finding): boolean {
  return blocks.accepted.some(
    ({ block, carriers }) =>
      block.type === "review-finding" &&
      block.data.id === id &&
      block.data.head === head &&
      carriers.some(({ kind }) => kind !== "comment"),
  );
}

const diffBytesMax = 20_000_000;

export type RemarkFilter = (range: AnchorRange) => boolean;

/** GitHub takes no remarks on a file whose diff it hides: half a megabyte for one file, one megabyte for all. */
const sureFileBytesMax = 100_000;
const sureDiffBytesMax = 1_000_000;

/** A forge makes its own diff. It agrees with ours for one line of a file that kept its name, in a small diff. */
export function isSure({ file, startLine, endLine }: AnchorRange): boolean {
  const isRenamed = file.kind === "renamed" || file.kind === "copied";
  const isSmall = file.end - file.start <= sureFileBytesMax && file.end <= sureDiffBytesMax;
  return startLine === endLine && isSmall && !isRenamed;
}

/** Only for findings that fit into the diff and the limit. The rest is in the text alone. */
export async function composeRemarks(
  context: PullContext,
  findings: readonly Finding[],
  fits: RemarkFilter = () => true,
): Promise<{ readonly remarks: readonly ReviewRemark[]; readonly inText: readonly Finding[] }> {
  if (findings.length === 0) return { remarks: [], inText: [] };
  const diff = await readDiff(context);
  const remarks: ReviewRemark[] = [];
  const inText: Finding[] = [];
  for (const finding of findings) {
    const place = diff === undefined ? undefined : placeOf(diff, finding, fits);
    if (place === undefined || remarks.length >= context.seen.rules.reviews.commentsMax) inText.push(finding);
    else remarks.push({ ...place, body: await remarkBody(context, finding) });
  }
  return { remarks, inText };
}

/** Undefined: git failed. Remarks can wait, the review cannot. */
async function readDiff(context: PullContext): Promise<Diff | undefined> {
  try {
    const compared = await openComparison(context.dependencies, context.ref, {
      headRef: context.headRef,
      pull: context.seen.pull,
    });
    const read = await compared?.mirror.diff({ base: compared.base, head: compared.head, bytesMax: diffBytesMax });
    const parsed = read?.kind === "diff" ? parseDiff(read.bytes) : undefined;
    return parsed?.kind === "diff" ? parsed.diff : undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return undefined;
  }
}

function placeOf(diff: Diff, finding: Finding, fits: RemarkFilter): Omit<ReviewRemark, "body"> | undefined {
  const { path, snippet, side, lines } = finding;
  const anchor = resolveAnchorInDiff(diff, { path, snippet, side, claimedLine: lines.first });
  if (anchor.kind === "not_in_diff" || !fits(anchor.range)) return undefined;
  const { file, side: foundSide, startLine, endLine } = anchor.range;
  return { path: file.path, side: foundSide, lines: { first: startLine, last: endLine } };
}

async function remarkBody(context: PullContext, finding: Finding): Promise<string> {
  return await composeBody(context, {
    mark: null,
    firstLine: writeFindingMark(finding),
    words: findingRemark(context.seen, finding),
    blocks: [{ type: "review-finding", data: finding }],
  });
}
