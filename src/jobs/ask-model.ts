import { type z } from "zod";
import { type PullContext } from "#act/pull-context.ts";
import { type BudgetRefusal } from "#core/budget/choose-offer.ts";
import { type Data } from "#core/model/data.ts";
import { type Instant } from "#core/model/instant.ts";
import { detectInjection } from "#core/prompt/detect-injection.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { type BudgetAccount, type OfferPrice, openBudgetAccount } from "#jobs/budget-account.ts";
import { type JobContext } from "#jobs/job-context.ts";
import { countFailures } from "#jobs/job-retries.ts";
import { callPaid, toWholeMicroUsd } from "#jobs/paid-call.ts";
import { talkPrompt } from "#jobs/prompts.ts";
import { type PromptPart } from "#ports/agent.ts";
import {
  type Answerer,
  type ConversationView,
  type ExpectedTokens,
  type ModelAnswer,
  type ModelQuestion,
} from "#ports/model.ts";

export type ModelReply =
  | ({
      readonly kind: "answered";
      readonly text: string;
      readonly isCut: boolean;
      readonly costMicroUsd: number;
    } & Suspected)
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      readonly costMicroUsd: number;
    }
  | { readonly kind: "refused"; readonly refusal: BudgetRefusal; readonly costMicroUsd: number };

interface Suspected {
  /** Titles of parts that seem to give orders to the model. */
  readonly suspects: readonly string[];
}

export type JsonReply<Schema extends z.ZodType> =
  | ({ readonly kind: "read"; readonly value: Data<Schema>; readonly costMicroUsd: number } & Suspected)
  | { readonly kind: "unreadable"; readonly costMicroUsd: number }
  | Exclude<ModelReply, { readonly kind: "answered" }>;

interface Question {
  readonly model: Answerer;
  readonly step: string;
  readonly purpose: ModelQuestion["purpose"];
  readonly task: string;
  /** A view shows these parts anyway. */
  readonly about: readonly PromptPart[];
  readonly said: readonly PromptPart[];
  readonly view?: (() => Promise<ConversationView | null>) | undefined;
}

const jsonCharactersMax = 8_000;
const triesMax = 2;

/** An answer that cannot be read is asked for once more, and never guessed at. */
export async function askModel<Schema extends z.ZodType>(
  jobContext: JobContext,
  pullContext: PullContext,
  { schema, ...question }: Question & { readonly schema: Schema },
): Promise<JsonReply<Schema>> {
  return await withAccount(jobContext, pullContext, question, async (account): Promise<JsonReply<Schema>> => {
    const ways = await waysToAsk(question);
    let costMicroUsd = 0;
    for (let tries = 0; tries < triesMax; tries++) {
      const asked = await ask(
        { jobContext, pullContext, account, ways },
        { ...question, answerCharactersMax: jsonCharactersMax },
      );
      costMicroUsd += asked.costMicroUsd;
      if (asked.kind !== "answered") return { ...asked, costMicroUsd };
      const read = schema.safeParse(readJson(asked.text));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same value, readonly.
      if (read.success) return { ...asked, kind: "read", value: read.data as Data<Schema>, costMicroUsd };
    }
    return { kind: "unreadable", costMicroUsd };
  });
}

export async function askOnce(
  jobContext: JobContext,
  pullContext: PullContext,
  question: Question & Pick<ModelQuestion, "answerCharactersMax">,
): Promise<ModelReply> {
  return await withAccount(jobContext, pullContext, question, async (account) => {
    const ways = await waysToAsk(question);
    return await ask({ jobContext, pullContext, account, ways }, question);
  });
}

type Way = Pick<ModelQuestion, "prompt" | "view">;

async function waysToAsk({ model, task, about, said, view }: Question): Promise<readonly Way[]> {
  const bare: Way = { prompt: talkPrompt({ task, data: [...about, ...said], isInView: false }) };
  const shown = model.expect === undefined ? null : ((await view?.()) ?? null);
  return shown === null ? [bare] : [{ prompt: talkPrompt({ task, data: said, isInView: true }), view: shown }, bare];
}

/** Counts anew at each try: the records have the earlier cost already. */
async function withAccount<Outcome extends { readonly costMicroUsd: number }>(
  context: JobContext,
  { ref, seen }: PullContext,
  { step }: Pick<Question, "step">,
  use: (account: BudgetAccount) => Promise<Outcome>,
): Promise<Outcome> {
  const name = `purse of ${step} ${await countFailures(context, step)}`;
  const account = await openBudgetAccount(context, { pull: ref, head: seen.pull.head.sha, role: null, name });
  const outcome = await use(account);
  return { ...outcome, costMicroUsd: await account.settle(outcome.costMicroUsd) };
}

interface Asking {
  readonly jobContext: JobContext;
  readonly pullContext: PullContext;
  readonly account: BudgetAccount;
  readonly ways: readonly Way[];
}

async function ask(
  { jobContext, pullContext, account, ways }: Asking,
  { model, purpose, answerCharactersMax }: Question & Pick<ModelQuestion, "answerCharactersMax">,
): Promise<ModelReply> {
  const common = { purpose, answerCharactersMax, signal: jobContext.signal, onCall: account.onCall };
  const offers = await offersOf(
    model,
    ways.map((way) => ({ ...common, ...way })),
  );
  // The cost of an earlier try counts before the next one begins.
  await account.flush();
  const choice = await account.reserve(offers);
  const question = choice.kind === "refused" ? undefined : offers[choice.index]?.question;
  if (choice.kind === "refused") return { kind: "refused", refusal: choice, costMicroUsd: 0 };
  if (question === undefined) throw new Error("an offer was taken that was never made");
  const answer: ModelAnswer = await callPaid(jobContext, "model", () => model.ask(question));
  const costMicroUsd = toWholeMicroUsd(answer.costMicroUsd ?? 0);
  if (answer.kind === "failed") return { ...answer, costMicroUsd };
  const { text, isCut = false } = answer;
  return { kind: "answered", text, isCut, costMicroUsd, suspects: suspectsOf(pullContext, question, answer) };
}

function suspectsOf(
  context: PullContext,
  { prompt }: ModelQuestion,
  { suspects = [] }: Extract<ModelAnswer, { readonly kind: "answered" }>,
): readonly string[] {
  return context.seen.rules.reviews.injection === "off" ? [] : [...new Set([...suspectParts(prompt), ...suspects])];
}

/** About what a short answer takes, with the thinking before it. */
const answerTokens = 4_000;

interface Offer extends OfferPrice {
  readonly question: ModelQuestion;
}

/** Without any of the change in view the prompt would speak of what is not there. */
async function offersOf(model: Answerer, questions: readonly ModelQuestion[]): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for (const question of questions) {
    const tokens = await expectedTokens(model, question);
    if (tokens === null) continue;
    offers.push({ question, costMicroUsd: model.estimate?.(tokens, "now") ?? null, delivery: "now" });
  }
  return offers;
}

async function expectedTokens(model: Answerer, { view, ...question }: ModelQuestion): Promise<ExpectedTokens | null> {
  if (view !== undefined) return (await model.expect?.({ ...question, view })) ?? null;
  const fresh = question.prompt.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return { fresh, cached: 0, out: answerTokens };
}

/** Models like to put JSON into a block. Anything else around it makes it unreadable. */
function readJson(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^```(?:json)?\s*\n/i, "")
    .replace(/\n\s*```$/, "");
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}

function suspectParts(prompt: readonly PromptPart[]): readonly string[] {
  return prompt.flatMap((part) => (part.kind === "data" && seemsOrdered(part.text) ? [part.title] : []));
}

/** The numbers before lines of code are ours, and would hide an order at the start of a line. */
function seemsOrdered(text: string): boolean {
  return [text, text.replace(/^\d{1,9}: /gm, "")].some((one) => detectInjection(one).places.length > 0);
}
