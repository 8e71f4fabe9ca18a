import { derive } from "#core/derive/derive.ts";
import type { Comment, Thread } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import {
  aComment,
  ada,
  aFinding,
  aHead,
  anObservation,
  aRun,
  aThread,
  at,
  drover,
  mia,
  otto,
  rita,
  sha,
  someRecords,
} from "#testing/makers.ts";

const people = [ada, rita, mia, otto];
const rounds = 15;

/** Derive and plan for pulls of growing size, then for the largest that Drover promises to handle well. */
export async function benchCore(print: (line: string) => void): Promise<void> {
  print("derive + plan, best of 15 (ms), by number of comments");
  print("");
  print("| comments | threads | findings | derive | plan | together | per 1,000 comments |");
  print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const comments of [10, 100, 1_000, 10_000]) row(print, { comments, threads: 0, findings: 0 });
  row(print, { comments: 10_000, threads: 2_000, findings: 500 });
  print("");
  print("Goal: under 50 ms together in the last row; linear growth shows as a steady last column.");
  await Promise.resolve();
}

interface Size {
  readonly comments: number;
  readonly threads: number;
  readonly findings: number;
}

function row(print: (line: string) => void, size: Size): void {
  const seen = aLargePull(size);
  let [deriveMs, planMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const situation = derive(seen);
    const middle = performance.now();
    plan(seen, situation);
    deriveMs = Math.min(deriveMs, middle - start);
    planMs = Math.min(planMs, performance.now() - middle);
  }
  const together = deriveMs + planMs;
  const cells = [size.comments, size.threads, size.findings].map((count) => count.toLocaleString("en"));
  const times = [deriveMs, planMs, together, together / (size.comments / 1_000)].map((ms) => ms.toFixed(2));
  print(`| ${[...cells, ...times].join(" | ")} |`);
}

/** A lively pull: one comment in twenty is a command, one in fifty a question, half of them dealt with already. */
function aLargePull({ comments, threads, findings }: Size): Observation {
  const said = Array.from({ length: comments }, (_, index) => commentNumber(index));
  const held = Array.from({ length: threads }, (_, index) => threadNumber(index, comments));
  const dealt = said.filter((_, index) => index % 40 === 0);
  return anObservation({
    observedAt: at(comments + threads + 10),
    comments: said,
    threads: held,
    records: someRecords({
      heads: [aHead(), aHead({ sha: sha(1), since: at(1) })],
      runs: [aRun()],
      commands: dealt.map((comment) => ({
        comment: comment.id,
        word: "status",
        by: comment.author.id,
        at: comment.createdAt,
        head: sha(1),
        outcome: "obeyed",
        forMs: null,
        uptoMicroUsd: null,
        limitMs: null,
      })),
      questions: said
        .filter((_, index) => index % 100 === 25)
        .map(({ id, body }) => ({ comment: id, revision: digestOf(body), status: "ANSWERED", answer: null })),
      findings: Array.from({ length: findings }, (_, index) =>
        aFinding(`f${index}`, { thread: held[index]?.id ?? null, isBlocking: index % 3 === 0 }),
      ),
    }),
  });
}

const prose = "This reads the whole file before it knows whether it needs it; a stream would do. ".repeat(4);

function commentNumber(index: number): Comment {
  const author = people[index % people.length] ?? ada;
  if (index % 20 === 0) return aComment(index + 1, author, `${prose}\n\n@drover status`, index);
  if (index % 50 === 25) return aComment(index + 1, author, `@drover why is this so? ${prose}`, index);
  return aComment(index + 1, author, `${prose}\n\n\`\`\`ts\nconst x = ${index};\n\`\`\``, index);
}

function threadNumber(index: number, offset: number): Thread {
  const first = aComment(`a${index}`, index % 2 === 0 ? drover : rita, prose, offset + index);
  const second = aComment(`b${index}`, ada, "Done, I think.", offset + index);
  return aThread(index, [first, second]);
}
