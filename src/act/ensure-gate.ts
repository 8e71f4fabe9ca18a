import { type Effect, type EffectOutcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import { type PullContext } from "#act/pull-context.ts";
import { originText } from "#core/fairness/work-origin.ts";
import { type ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import { type Finding } from "#core/model/finding.ts";
import { type HeadSha } from "#core/model/ids.ts";
import { type Gate } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";
import { findingNote, worstFirst } from "#core/words/finding-words.ts";
import { type GateAnnotation } from "#ports/forge.ts";
import { type PullRef, pullNumberOf } from "#ports/pull-ref.ts";
import { type DesiredGate } from "#ports/store.ts";
import { tickEntry } from "#ports/tick-entry.ts";

/** GitHub accepts no more in one request, and people would read no more. */
const annotationsMax = 50;

/** Findings that got no remark in the diff, because there were too many. */
function gateAnnotations({ seen }: Pick<PullContext, "seen">, head: HeadSha): readonly GateAnnotation[] {
  if (head !== seen.pull.head.sha) return [];
  const { records, rules } = seen;
  const isRead = records.runs.some((run) => run.head === head && run.state.kind === "completed");
  if (!isRead) return [];
  return rules.reviews.roles
    .flatMap(({ name }) => unremarked(seen, name, head))
    .slice(0, annotationsMax)
    .map((finding) => ({
      path: finding.path,
      lines: finding.lines,
      level: finding.isBlocking ? "failure" : "warning",
      words: findingNote(seen, finding),
    }));
}

/** Until the review is published, its worst findings are still to become remarks. */
function unremarked({ records, rules }: PullContext["seen"], role: string, head: HeadSha): readonly Finding[] {
  const silent = records.findings.filter(
    (finding) => finding.role === role && finding.thread === null && finding.state.kind !== "resolved",
  );
  const isPublished = records.published.some((one) => one.role === role && one.head === head);
  return worstFirst(silent)
    .slice(isPublished ? 0 : rules.reviews.commentsMax)
    .filter(({ side, snippet }) => side === "new" && !isBlankSnippet(snippet));
}

/** A gate is on a commit, which several pulls may share: the worst of them decides. */
export async function ensureGate(context: PullContext, action: ActionOf<"set_gate">): Promise<EffectOutcome> {
  const { store } = context.dependencies;
  const repository = repositoryOf(context);
  const { head } = action;
  const own: DesiredGate = { repository, head, state: action.state, words: action.text };
  await store.saveDesiredGate(context.key, own);
  const wishes = await store.findDesiredGates({ repository, head });
  const [first = { ...own, pull: context.key }, ...others] = wishes;
  const worst = others.reduce((left, right) => (weight(right) > weight(left) ? right : left), first);
  // The same words from each pull, or they would go on correcting each other.
  const words = others.length === 0 ? worst.words : `#${pullNumberOf(worst.pull)}: ${worst.words}`;
  const { gate } = context.seen;
  if (gate?.head === head && gate.state === worst.state && gate.words === words) {
    return { kind: "done", result: null, wasThere: true };
  }
  const effect: Effect = {
    key: others.length === 0 ? action.key : actionKey("set_gate", head, worst.state, digestOf(words)),
    kind: "gate",
    lane: "gate",
    head,
    why: { askedBy: "the plan", rule: `the gate is ${worst.state}`, inputs: [words] },
    note: { kind: "none" },
  };
  const annotations = gateAnnotations(context, head);
  return await ensureState(context, effect, () =>
    context.dependencies.forge.setGate({ pull: context.ref, head, state: worst.state, words, annotations }),
  );
}

/** Other pulls with this head may show its gate, and get no event. Poked first: after a crash they are poked again. */
export async function ensureDesiredGateAbsent(context: PullContext): Promise<void> {
  const { store, queue, instance } = context.dependencies;
  const wishes = await store.findDesiredGates({ repository: repositoryOf(context), head: context.seen.pull.head.sha });
  if (wishes.some(({ pull }) => pull === context.key)) {
    for (const { pull: key } of wishes.filter(({ pull }) => pull !== context.key)) {
      const pull: PullRef = { repository: context.ref.repository, number: pullNumberOf(key) };
      const origin = originText({ repository: pull.repository.id, author: null });
      await queue.put(tickEntry(instance, pull, { origin }));
    }
  }
  await store.saveDesiredGate(context.key, null);
}

function repositoryOf({ dependencies, ref }: PullContext): string {
  return `${dependencies.instance}/${ref.repository.id}`;
}

const weights: Readonly<Record<Gate["state"], number>> = { success: 0, neutral: 1, pending: 2, failure: 3 };

function weight({ state }: DesiredGate): number {
  return weights[state];
}
