import type { BlockContent, ProcessState } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { isHole } from "#core/review/coverage.ts";

/** Type, subject, revision and MAC of a block stand beside its data. */
const wrapCharacters = 400;

/** A finding loses its words, a look the end of its unread list, a state its oldest entries. Null: nothing helps. */
export function fitContent(content: BlockContent): BlockContent | null {
  if (isFitting(content)) return content;
  const short = shortened(content);
  return short !== null && isFitting(short) ? short : null;
}

function isFitting(content: BlockContent): boolean {
  const length = canonicalJson(content.data)?.length;
  return length !== undefined && length + wrapCharacters <= blockLimits.blockBytesMax;
}

const wordsMax = 500;
const unreadMax = 20;

function shortened(content: BlockContent): BlockContent | null {
  if (content.type === "review-finding") {
    const { data } = content;
    return {
      type: "review-finding",
      data: { ...data, assessment: "", suggestion: null, message: data.message.slice(0, wordsMax) },
    };
  }
  if (content.type === "process-state") return newestOf(content.data);
  if (content.type !== "review" || content.data.run.state.kind !== "completed") return null;
  const { run, published } = content.data;
  const { state } = content.data.run;
  const { unread } = state.coverage;
  const holesFirst = [...unread.filter(isHole), ...unread.filter((entry) => !isHole(entry))];
  const coverage = { ...state.coverage, unread: holesFirst.slice(0, unreadMax) };
  const cut = { ...state, coverage, summary: state.summary.slice(0, wordsMax) };
  return { type: "review", data: { run: { ...run, state: cut }, published } };
}

const keptMax = 40;

/** Of each list the newest: an old head can only make an old command unprovable, which is safe. */
function newestOf(state: ProcessState): BlockContent | null {
  for (let kept = keptMax; kept > 0; kept = Math.floor(kept / 2)) {
    const heads = state.heads.toSorted((left, right) => left.since - right.since).slice(-kept);
    const standing = new Set(heads.map(({ sha }) => sha));
    const data: ProcessState = {
      ...state,
      heads,
      approvals: state.approvals.filter(({ head }) => standing.has(head)).slice(-kept),
      escalations: state.escalations.slice(-kept),
      closedThreads: state.closedThreads.slice(-kept),
      sessions: state.sessions.slice(-kept),
    };
    const content: BlockContent = { type: "process-state", data };
    if (isFitting(content)) return content;
  }
  return null;
}
