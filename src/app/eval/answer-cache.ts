import { createHash } from "node:crypto";
import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";
import type { CaseAnswer } from "#app/eval/review-case.ts";
import { StartError } from "#app/start-error.ts";
import { codeOrText } from "#core/error-code.ts";
import { RawFinding } from "#core/model/finding.ts";

/** Paid answers, one per line of a file, so that a stopped run can continue. */
export interface AnswerCache {
  find(subject: AnswerSubject): CaseAnswer | undefined;
  keep(subject: AnswerSubject, answer: CaseAnswer): Promise<void>;
}

/** If any part differs, the answer may differ too, so the model is asked again. */
export interface AnswerSubject {
  readonly digest: string;
  readonly role: string;
  readonly attempt: number;
  readonly maker: string;
}

const count = z.number().nonnegative();

const KeptLine = z.strictObject({
  key: z.string(),
  findings: z.array(RawFinding),
  unread: z.array(z.string()),
  spent: z.strictObject({
    costMicroUsd: count,
    unpricedCalls: count,
    tokensIn: count,
    tokensCached: count,
    tokensOut: count,
    ms: count,
  }),
});
type KeptLine = z.infer<typeof KeptLine>;

export async function openAnswerCache(file: string): Promise<AnswerCache> {
  const text = await readIfThere(file);
  const answers = new Map(readLines(text, file).map((line) => [line.key, line]));
  await touch(file);
  let last = Promise.resolve();
  // A line that a kill cut off must not join the next one.
  let gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return {
    find: (subject) => {
      const line = answers.get(keyOf(subject));
      if (line === undefined) return undefined;
      const { findings, unread, spent } = line;
      return { outcome: { kind: "answered", findings, unread }, spent: { ...spent, isKept: true } };
    },
    keep: async (
      subject,
      { outcome, spent: { costMicroUsd, unpricedCalls, tokensIn, tokensCached, tokensOut, ms } },
    ) => {
      // A failed answer is asked for again.
      if (outcome.kind !== "answered") return;
      const { findings, unread } = outcome;
      const spent = { costMicroUsd, unpricedCalls, tokensIn, tokensCached, tokensOut, ms };
      const line = { key: keyOf(subject), findings, unread, spent };
      const written = `${gap}${JSON.stringify(line)}\n`;
      gap = "";
      // Two writes at once could end up in one line.
      last = last.then(async () => await appendFile(file, written));
      await last;
    },
  };
}

function keyOf({ digest, role, attempt, maker }: AnswerSubject): string {
  return createHash("sha256")
    .update(JSON.stringify([digest, role, attempt, maker]))
    .digest("hex");
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = codeOrText(error);
    if (code === "ENOENT") return "";
    throw new StartError(`the kept answers in ${file} cannot be read (${code}).`, { cause: error });
  }
}

/** Finds out before any money is spent whether the file can be written. */
async function touch(file: string): Promise<void> {
  try {
    await appendFile(file, "", { mode: 0o600 });
  } catch (error) {
    throw new StartError(`answers cannot be kept in ${file} (${codeOrText(error)}).`, { cause: error });
  }
}

/** A cut-off line was lost in a crash and is asked for again. A file with another beginning is not ours to write to. */
function readLines(text: string, file: string): readonly KeptLine[] {
  return text.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    const read = KeptLine.safeParse(parsed(line));
    if (read.success) return [read.data];
    if (index > 0 || line.startsWith('{"key":"')) return [];
    throw new StartError(`${file} does not hold kept answers of drover eval. Name another file for --resume.`);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
