import type { z } from "zod";
import type { ModelResponse } from "#models/stream-collector.ts";
import type { AnswerShape } from "#ports/model.ts";

export type AnswerReading<Value> =
  | { readonly kind: "read"; readonly value: Value }
  /** `why` is for people; `ask` is said to the model when it gets a second chance, null where it would not help. */
  | {
      readonly kind: "wrong";
      readonly outcome: "cut" | "refused" | "unreadable";
      readonly why: string;
      readonly ask: string | null;
    };

/** Nothing is guessed at or filled in. */
export function readAnswer<Value>(
  shape: AnswerShape<Value>,
  { text, finish }: Pick<ModelResponse, "text" | "finish">,
  { mayBeCut }: { readonly mayBeCut: boolean },
): AnswerReading<Value> {
  if (finish === "content-filter") return wrong("refused", "the model refused to answer", null);
  if (finish === "length" && !mayBeCut) {
    const ask = "Your answer was cut off, because it was too long. Answer again, whole and much shorter.";
    return wrong("cut", "the answer was cut off at its limit", ask);
  }
  if (text.trim() === "") return wrong("unreadable", "the answer was empty", "Your answer was empty. Answer again.");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a shape the value is the text, as the type of shapes says.
  if (shape === null) return { kind: "read", value: text as Value };
  return readShape(shape, text);
}

function readShape<Value>(shape: z.ZodType<Value>, text: string): AnswerReading<Value> {
  const found = findJson(text);
  if (found === undefined) {
    return wrong("unreadable", "the answer was no JSON", "Your answer cannot be read as JSON. Answer with JSON alone.");
  }
  const read = shape.safeParse(found.value);
  if (read.success) return { kind: "read", value: read.data };
  const issues = read.error.issues.slice(0, issuesMax).map(({ path, message }) => issueLine(path, message));
  return wrong(
    "unreadable",
    `the answer does not have the shape that was asked for (${issues[0] ?? "no reason given"})`,
    `Your answer does not have the type that was asked for:\n${issues.join("\n")}\nAnswer again, whole, with JSON alone.`,
  );
}

const issuesMax = 8;

/** Field names may come from the answer itself, so they are kept short. */
function issueLine(path: readonly PropertyKey[], message: string): string {
  const place = path.map(String).join(".").slice(0, issueCharactersMax);
  return `- ${place === "" ? "the whole" : place}: ${message.slice(0, issueCharactersMax)}`;
}

const issueCharactersMax = 120;

/** The whole answer, its one code block, or what follows a few words. Of several, choosing would be guessing. */
function findJson(text: string): { readonly value: unknown } | undefined {
  const trimmed = text.trim();
  const whole = parse(trimmed);
  if (whole !== undefined) return whole;
  const blocks = blocksIn(trimmed);
  if (blocks.length === 1) return parse(blocks[0] ?? "");
  const start = trimmed.search(/^[{[]/m);
  return start < 0 ? undefined : parse(trimmed.slice(start));
}

/** By line: unclosed blocks must not be searched to the end for each opening. */
function blocksIn(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (open === null) open = /^```[a-z]*[ \t]*$/i.test(line) ? [] : null;
    else if (/^[ \t]*```[ \t]*$/.test(line)) {
      blocks.push(open.join("\n"));
      open = null;
    } else open.push(line);
  }
  return blocks;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function wrong(
  outcome: "cut" | "refused" | "unreadable",
  why: string,
  ask: string | null,
): { readonly kind: "wrong"; readonly outcome: typeof outcome; readonly why: string; readonly ask: string | null } {
  return { kind: "wrong", outcome, why, ask };
}
