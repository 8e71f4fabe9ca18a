import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAnswerCache } from "#app/eval/answer-cache.ts";
import type { CaseAnswer } from "#app/eval/review-case.ts";
import { anEvalFinding, nothingSpent } from "#core/eval/eval-makers.ts";
import { makeFolder } from "#testing/eval-set-makers.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await makeFolder({});
  file = join(folder, "answers.jsonl");
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const subject = { digest: "d", role: "general", attempt: 1, maker: "m" };
const answer: CaseAnswer = {
  outcome: { kind: "answered", findings: [anEvalFinding(2)], unread: ["a.bin"] },
  spent: { ...nothingSpent, costMicroUsd: 12 },
};

describe("answers that were kept", () => {
  it("are there for the same subject, and known as kept", async () => {
    await (await openAnswerCache(file)).keep(subject, answer);
    const kept = await openAnswerCache(file);
    expect(kept.find(subject)).toEqual({ ...answer, spent: { ...answer.spent, isKept: true } });
  });

  it.each([{ digest: "e" }, { role: "security" }, { attempt: 2 }, { maker: "n" }])(
    "are not there for another one (case %#)",
    async (change) => {
      await (await openAnswerCache(file)).keep(subject, answer);
      expect((await openAnswerCache(file)).find({ ...subject, ...change })).toBeUndefined();
    },
  );

  it("hold no failure: that is tried again", async () => {
    const kept = await openAnswerCache(file);
    await kept.keep(subject, { ...answer, outcome: { kind: "failed", why: "No answer." } });
    expect(await readFile(file, "utf8")).toBe("");
  });

  it("survive a line that was cut off, and the next one is whole", async () => {
    await (await openAnswerCache(file)).keep(subject, answer);
    await appendFile(file, '{"key":"abc","findi');
    const kept = await openAnswerCache(file);
    await kept.keep({ ...subject, attempt: 2 }, answer);
    const again = await openAnswerCache(file);
    expect([1, 2, 3].map((attempt) => again.find({ ...subject, attempt }) !== undefined)).toEqual([true, true, false]);
  });

  it("are written one by one, however many come at once", async () => {
    const kept = await openAnswerCache(file);
    const attempts = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(attempts.map(async (attempt) => await kept.keep({ ...subject, attempt }, answer)));
    const again = await openAnswerCache(file);
    expect(attempts.filter((attempt) => again.find({ ...subject, attempt }) === undefined)).toEqual([]);
  });

  it("are not looked for in somebody's own file, which stays as it is", async () => {
    await writeFile(file, '{"version": 1}\n');
    await expect(openAnswerCache(file)).rejects.toThrow("does not hold kept answers");
    expect(await readFile(file, "utf8")).toBe('{"version": 1}\n');
  });

  it("are refused before anything is paid for where they cannot be kept", async () => {
    await expect(openAnswerCache(join(folder, "no/such/folder"))).rejects.toThrow("answers cannot be kept in");
    await expect(openAnswerCache(folder)).rejects.toThrow("cannot be read (EISDIR)");
  });
});
