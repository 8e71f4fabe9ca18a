import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { jsonSchemaOf } from "#models/json-schema.ts";
import { describeShape } from "#models/shape-prompt.ts";
import { wirePrompt } from "#models/wire-prompt.ts";
import type { ChangeView } from "#ports/change-view.ts";
import type { Model, ModelTurn, TurnOutcome } from "#ports/model.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";
import { ReviewAnswer } from "#reviewers/model/review-answer.ts";

/** What one review sends, in tokens of o200k. */
export interface ReviewTokens {
  /** Of the first turns of all its conversations. */
  readonly onePass: number;
  readonly threePasses: number;
  /** What repeats an earlier turn at a tenth of the price. */
  readonly threePassesBilled: number;
  /** The same where caches begin later. */
  readonly threePassesBilledLate: number;
  readonly calls: number;
}

/** What a cached token costs beside one that is not. */
export const cachedShare = 0.1;
/** Most keep no shorter beginning than the first; some of the newest models none that is shorter than the second. */
export const cachedTokensMin = { usual: 1_024, late: 4_096 } as const;
const fence = "0123456789abcdef";

/**
 * Reviews a diff with the production reviewer and a model that has one finding, nothing to add, and stands by it; what
 * the models' layer would put on the wire is counted, tools and shape included. Answers of tools are not in it.
 */
export async function reviewTokens(
  diff: Uint8Array,
  finding: { readonly path: string },
  readFile?: ReadFile,
): Promise<ReviewTokens> {
  const turns = await reviewTurns(diff, finding, readFile);
  return turns.reduce(addTurn, { ...nothing, kept: 0 });
}

type ReadFile = (path: string) => Uint8Array | null;

export async function reviewTurns(
  diff: Uint8Array,
  finding: { readonly path: string },
  readFile?: ReadFile,
): Promise<readonly ModelTurn<unknown>[]> {
  const turns: ModelTurn<unknown>[] = [];
  const outcome = await modelReviewer({
    modelOf: () => steadyModel(turns, finding.path),
    limits: { callsMax: 10_000 },
  }).review({ ...viewOf(diff, readFile), role: "general", signal: new AbortController().signal });
  if (outcome.kind !== "completed") throw new Error(outcome.why);
  return turns;
}

/** A change without a description, in a repository without rules. */
export function viewOf(diff: Uint8Array, readFile: ReadFile = () => null): ChangeView {
  return {
    head: HeadSha.parse("a".repeat(40)),
    baseBranch: "main",
    diff,
    readFile: (side, path) => Promise.resolve(side === "new" ? readFile(path) : null),
    repository: { listFiles: () => Promise.resolve(null), history: () => Promise.resolve([]) },
    about: { title: Untrusted.parse(""), description: Untrusted.parse("") },
    excludedPaths: [],
  };
}

const nothing: ReviewTokens = { onePass: 0, threePasses: 0, threePassesBilled: 0, threePassesBilledLate: 0, calls: 0 };

function addTurn(sum: ReviewTokens & { readonly kept: number }, turn: ModelTurn<unknown>): typeof sum {
  const isFirst = turn.purpose === "review_find";
  const kept = isFirst ? 0 : sum.kept;
  const whole = countTokens(wireText(turn));
  const billed = (from: number): number => whole - (kept >= from ? kept * (1 - cachedShare) : 0);
  return {
    onePass: sum.onePass + (isFirst ? whole : 0),
    threePasses: sum.threePasses + whole,
    threePassesBilled: sum.threePassesBilled + billed(cachedTokensMin.usual),
    threePassesBilledLate: sum.threePassesBilledLate + billed(cachedTokensMin.late),
    calls: sum.calls + (isFirst ? 1 : 0),
    // The next turn repeats all of it.
    kept: whole,
  };
}

export function wireText({ messages, tools, shape }: Pick<ModelTurn<unknown>, "messages" | "tools" | "shape">): string {
  const words = shape === null ? null : describeShape(shape);
  const prompt = wirePrompt(messages, { fence, cacheMark: null, shapeWords: words });
  const told = tools.map(({ name, words: about, input }) =>
    JSON.stringify({ name, about, input: jsonSchemaOf(input) }),
  );
  const said = prompt.map(({ content }) => (typeof content === "string" ? content : textsOf(content)));
  return [...told, ...said].join("\n");
}

function textsOf(parts: readonly { readonly type: string }[]): string {
  return parts.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
}

export function countTokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

export function steadyModel(turns: ModelTurn<unknown>[], path: string): Model {
  return {
    cacheTokensMin: cachedTokensMin.usual,
    ask: () => Promise.reject(new Error("nobody asks")),
    converse: <Value>(turn: ModelTurn<Value>): Promise<TurnOutcome<Value>> => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the type of the shape differs.
      turns.push(turn as ModelTurn<unknown>);
      const answer =
        answers[turn.purpose === "review_find" ? "find" : turn.purpose === "review_look" ? "look" : "verify"];
      const said = { ...answer, findings: answer.findings.map((finding) => ({ ...finding, path })) };
      const text = JSON.stringify(said);
      const usage = { calls: [], costMicroUsd: 0 };
      const value = turn.shape?.parse(said);
      if (value === undefined) return Promise.resolve({ kind: "unreadable", why: "no shape", usage });
      return Promise.resolve({ kind: "answered", value, said: [{ from: "model", text }], usage });
    },
  };
}

const answers = {
  find: ReviewAnswer.parse({
    summary: "Orders are saved before the answer is sent, and the tests cover it.",
    findings: [
      {
        id: 1,
        rule: "missing-await",
        path: "",
        line: 42,
        code: "  save(order);",
        message:
          "The promise is not awaited, so a failed write is never noticed and the answer says that all went well.",
        score: 7,
        fix: "  await save(order);",
      },
    ],
    verdicts: [],
  }),
  look: ReviewAnswer.parse({ summary: "", findings: [], verdicts: [] }),
  verify: ReviewAnswer.parse({
    summary: "",
    findings: [],
    verdicts: [{ id: 1, holds: "yes", score: 7, why: "save returns a promise, and no caller handles its rejection." }],
  }),
};
