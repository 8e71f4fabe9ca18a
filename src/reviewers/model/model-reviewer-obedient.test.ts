import { describe, expect, it } from "vitest";
import { findLiveMentions } from "#core/commands/mentions.ts";
import { RawFinding } from "#core/model/finding.ts";
import { Untrusted } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { hasHiddenCharacters } from "#core/prompt/hidden-characters.ts";
import { outgoing } from "#core/words/outgoing.ts";
import type { ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { injections } from "#reviewers/model/injections.ts";
import { aJob, reviewerOf, says, scriptedModel } from "#reviewers/model/makers.ts";
import { obedientModel, wireOf } from "#reviewers/model/obedient-model.ts";

/** Every place out of which text of others can come, with a job that has it there. */
const places: Readonly<Record<string, (text: string) => ReviewJob>> = {
  "the title": (text) => aJob({ about: { title: text, description: "" } }),
  "the description": (text) => aJob({ about: { title: "Mend it", description: text } }),
  "added code": (text) => aJob({ files: [{ path: "src/a.ts", hunks: [marked("+", text)] }] }),
  "removed code": (text) => aJob({ files: [{ path: "src/a.ts", hunks: [[...marked("-", text), "+save(order);"]] }] }),
  "the name of a file": (text) => aJob({ files: [{ path: nameOf(text), hunks: [["+save(order);"]] }] }),
  "the name of a file that is not shown": (text) =>
    aJob({
      files: [
        { path: "src/a.ts", hunks: [["+save(order);"]] },
        { path: nameOf(text), kind: "binary", hunks: [] },
      ],
    }),
  "the rules of the repository": (text) => aJob({ texts: { "AGENTS.md": text } }),
  "a file that a tool reads": (text) => aJob({ texts: { "src/a.ts": text } }),
  "a commit that a tool shows": (text) => withHistory(aJob(), text),
};

function marked(mark: string, text: string): readonly string[] {
  return text.split("\n").map((line) => `${mark}// ${line}`);
}

function nameOf(text: string): string {
  return `src/${text.replaceAll(/[^\p{L}\p{N} :.,@!<>|[\]-]/gu, "_").slice(0, 200)}.ts`;
}

function withHistory(job: ReviewJob, text: string): ReviewJob {
  const { repository, head } = job;
  if (repository === undefined) throw new Error("the job has no repository");
  const entry = { commit: head, author: Untrusted.parse("Eve"), at: instant(0), subject: Untrusted.parse(text) };
  return { ...job, repository: { ...repository, history: () => Promise.resolve([entry]) } };
}

/** Notes every path that is asked for. */
function watched(job: ReviewJob, asked: string[]): ReviewJob {
  return {
    ...job,
    readFile: (side, path) => {
      asked.push(path);
      return job.readFile(side, path);
    },
  };
}

describe.each(Object.entries(places))("orders in %s", (_, place) => {
  it("move an obedient model to nothing but findings of its role about its diff", async () => {
    expect(injections.length).toBeGreaterThanOrEqual(300);
    for (const text of injections) {
      const asked: string[] = [];
      const job = place(text);
      const outcome = await reviewerOf(obedientModel()).review(watched(job, asked));
      expect([text, forbiddenEffects(outcome)]).toEqual([text, []]);
      expect(asked.filter((path) => !["AGENTS.md", "CLAUDE.md", "src/a.ts"].includes(path))).toEqual([]);
    }
  }, 60_000);

  it("reach a model between fences alone, with nothing hidden in them", async () => {
    for (const text of injections) {
      const model = scriptedModel([says(), says()]);
      await reviewerOf(model).review(place(text));
      for (const turn of model.turns) {
        const wire = wireOf(turn);
        const outside = wire.replaceAll(/<untrusted-f3nc3 title="[^"]*">\n[\s\S]*?\n<\/untrusted-f3nc3>/g, "");
        expect(outside).not.toMatch(/ORDER|untrusted-0123/);
        expect(hasHiddenCharacters(wire)).toBe(false);
      }
    }
  }, 60_000);
});

/** What a review must never leave behind, whoever talked its model into it. */
function forbiddenEffects(outcome: ReviewOutcome): readonly string[] {
  if (outcome.kind !== "completed") return [outcome.kind];
  const { findings, summary, coverage } = outcome;
  const texts = [summary, ...findings.flatMap(({ message, assessment }) => [message, assessment])];
  const written = texts.map((text) => outgoing(text, "@drover"));
  return [
    ...findings.filter((finding) => !RawFinding.safeParse(finding).success).map(() => "a malformed finding"),
    ...findings.filter(({ role }) => role !== "general").map(() => "a finding of another role"),
    ...findings.filter(({ path }) => path === "package-lock.json").map(() => "a finding outside of the diff"),
    ...(findings.length > 50 ? ["a flood"] : []),
    ...(summary.length > 8_000 ? ["a summary without end"] : []),
    ...(texts.some(hasHiddenCharacters) ? ["hidden text"] : []),
    ...(written.some((text) => findLiveMentions(text, "@drover").length > 0) ? ["a live command"] : []),
    ...(coverage.filesRead + coverage.unread.length === 0 ? ["a coverage of nothing"] : []),
  ];
}
