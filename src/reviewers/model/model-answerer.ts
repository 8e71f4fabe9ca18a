import { detectInjection } from "#core/prompt/detect-injection.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { restoreHiddenCharacters } from "#core/prompt/hidden-characters.ts";
import type { PackedCall } from "#core/prompt/pack-diff.ts";
import { unsanitise } from "#core/prompt/sanitise.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { PromptPart } from "#ports/agent.ts";
import type {
  Answerer,
  ConversationView,
  Model,
  ModelAnswer,
  ModelTool,
  ModelTurn,
  ViewedQuestion,
} from "#ports/model.ts";
import { boundTools } from "#reviewers/model/bounded-tools.ts";
import { talkTokens } from "#reviewers/model/expected-tokens.ts";
import { fitWindow } from "#reviewers/model/fit-window.ts";
import { partsOf, type RenderOutcome, renderChange } from "#reviewers/model/render-change.ts";
import { repositoryTools, type ToolTrouble } from "#reviewers/model/repository-tools.ts";
import { rulesTitle } from "#reviewers/model/review-prompt.ts";
import { defaultReviewLimits, type ReviewLimits } from "#reviewers/model/review-settings.ts";

/** Begins exactly like a review, tools included, so that both share the provider's cache. The question comes behind it. */
export function modelAnswerer(model: Model, limitsMax: ReviewLimits = defaultReviewLimits): Answerer {
  const limits = fitWindow(limitsMax, model);
  const talking: Talking = { model, limits, showed: new WeakMap() };
  return {
    estimate: (tokens, delivery) => model.estimate?.(tokens, delivery) ?? null,
    ask: async ({ view, ...question }) =>
      view === undefined ? await model.ask(question) : await askInView(talking, { ...question, view }),
    expect: async (question) => {
      const opening = await openingOf(talking, question);
      if (opening.kind !== "opening") return null;
      return talkTokens(
        opening.parts.reduce((sum, { text }) => sum + estimateTokens(text), 0),
        limits,
      );
    },
  };
}

interface Talking {
  readonly model: Model;
  readonly limits: ReviewLimits;
  /** By the view: packing a large change takes seconds, and it is priced and asked about, maybe twice. */
  readonly showed: WeakMap<ConversationView, Promise<RenderOutcome>>;
}

async function askInView(talking: Talking, question: ViewedQuestion): Promise<ModelAnswer> {
  const { model, limits } = talking;
  const { view, ...bare } = question;
  const opening = await openingOf(talking, question);
  if (opening.kind === "failed") return { kind: "failed", why: opening.why, retryAt: null };
  if (opening.kind === "nothing") return await model.ask(bare);
  const suspects = new Set(suspectTitles(opening.shown));
  const trouble: ToolTrouble = { why: null };
  const turn: ModelTurn<string> = {
    purpose: question.purpose,
    messages: [{ from: "drover", parts: opening.parts }],
    shape: null,
    tools: boundTools(repositoryTools(view, trouble), limits.talkLookedTokensMax).map((tool) =>
      watched(tool, suspects),
    ),
    limits: {
      answerTokensMax: limits.answerTokensMax,
      toolCallsMax: limits.talkToolCallsMax,
      timeMsMax: limits.turnMsMax,
    },
    signal: question.signal,
    onCall: question.onCall,
  };
  const outcome = await model.converse(turn);
  const { costMicroUsd } = outcome.usage;
  if (trouble.why !== null) return { kind: "failed", why: trouble.why, retryAt: null, costMicroUsd };
  if (outcome.kind === "failed") return { kind: "failed", why: outcome.why, retryAt: outcome.retryAt, costMicroUsd };
  if (outcome.kind === "unreadable") return { kind: "failed", why: outcome.why, retryAt: null, costMicroUsd };
  const text = outcome.value.slice(0, question.answerCharactersMax);
  const isCut = outcome.isCut === true || text.length < outcome.value.length;
  return { kind: "answered", text, costMicroUsd, isCut, suspects: [...suspects] };
}

type Opening =
  | { readonly kind: "opening"; readonly parts: readonly PromptPart[]; readonly shown: readonly PromptPart[] }
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly why: string };

async function openingOf({ model, limits, showed: known }: Talking, asked: ViewedQuestion): Promise<Opening> {
  const { view, prompt } = asked;
  const showing = known.get(view) ?? renderChange(view, { model, limits, isRepeated: true });
  known.set(view, showing);
  const showed = await showing;
  if (showed.kind === "failed") return showed;
  const call = showed.kind === "shown" ? callAbout(showed.change.packed.calls, view.path) : undefined;
  if (showed.kind !== "shown" || call === undefined) return { kind: "nothing" };
  const shown = partsOf(showed.change, call);
  return { kind: "opening", parts: [...shown, ...prompt], shown };
}

/** With the file, else the first, which has what matters most. */
function callAbout(calls: readonly PackedCall[], path: string | null): PackedCall | undefined {
  return calls.find(({ paths }) => path !== null && paths.includes(path)) ?? calls[0];
}

/** The base branch's own rules may well give orders. */
function suspectTitles(shown: readonly PromptPart[]): readonly string[] {
  return shown.flatMap((part) =>
    part.kind === "data" && part.title !== rulesTitle && seemsOrdered(part.text) ? [part.title] : [],
  );
}

/** What is looked up was written by others as well. */
function watched(tool: ModelTool, suspects: Set<string>): ModelTool {
  return {
    ...tool,
    run: async (input, signal) => {
      const answer = await tool.run(input, signal);
      if (seemsOrdered(answer)) suspects.add(`an answer of ${tool.name}`);
      return answer;
    },
  };
}

/** Searched as written: sanitising removes an order's hidden letters and frames, and our marks hide its beginning. */
function seemsOrdered(text: string): boolean {
  const written = asWritten(text);
  return [written, addedLines(written), written.replace(placeBeforeLine, "")].some(
    (one) => detectInjection(one).places.length > 0,
  );
}

function asWritten(text: string): string {
  return unsanitise(restoreHiddenCharacters(restoreHandles(text))).replaceAll(" (quoted):", ":");
}

function addedLines(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => (/^(?:\+|=== )/.test(line) ? [line.replace(/^(?:\+|=== )/, "")] : []))
    .join("\n");
}

/** `path:12: ` of a search, and the commit, day and author of a history. */
const placeBeforeLine = /^(?:[^\n]{0,300}?:\d{1,9}|[0-9a-f]{10} [\d-]{10} [^\n]{0,200}?): /gm;
