import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Carrier } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { type BlockContext, type BlockSecret, makeBlockSecret } from "#core/blocks/block-mac.ts";
import { blocksOf, type PlacedBlock } from "#core/blocks/blocks-from-records.ts";
import { encodeBlocks } from "#core/blocks/encode-block.ts";
import { type AcceptedBlock, type BlockText, readBlocks } from "#core/blocks/read-blocks.ts";
import { restoreRecords } from "#core/blocks/records-from-blocks.ts";
import { Account } from "#core/model/account.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { Records } from "#core/model/records.ts";

const bot = Account.parse({ id: "9", login: "drover", kind: "bot" });
const secret = makeBlockSecret(new Uint8Array(32).fill(7));
const context: BlockContext = { instance: InstanceId.parse("i"), repository: RepositoryId.parse("r"), pull: 7 };
const managed = Carrier.parse({ kind: "comment", id: "managed" });
const empty = Records.parse({});
const noRevisions: ReadonlyMap<string, number> = new Map();

/** As the bot would write them: each into the text it must stand in, the others into one comment. */
function write(blocks: readonly PlacedBlock[], where: BlockContext = context, key: BlockSecret = secret): BlockText[] {
  const names = new Set(blocks.map(({ carrier }) => JSON.stringify(carrier ?? managed)));
  return [...names].map((name) => {
    const placed = blocks.filter(({ carrier }) => JSON.stringify(carrier ?? managed) === name);
    const encoded = encodeBlocks(
      placed.map(({ block }) => block),
      where,
      { secret: key, roles: ["general"] },
    );
    if (encoded.kind !== "encoded") throw new Error(JSON.stringify(encoded));
    return { where: name, author: bot, body: `Words.\n\n${encoded.text}\n`, carrier: Carrier.parse(JSON.parse(name)) };
  });
}

function read(texts: readonly BlockText[], knownRevisions = noRevisions): readonly AcceptedBlock[] {
  return readBlocks({ texts, bot, context, secret, knownRevisions }).accepted;
}

function throughThePull(records: Records): Records {
  return restoreRecords(empty, read(write(blocksOf(records, noRevisions))));
}

/** Lists need no order. */
function kept(records: Records): object {
  const lists = Object.entries(records).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((item) => JSON.stringify(sorted(item))).sort() : value,
  ]);
  return Object.fromEntries(lists);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, sorted(field)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const id = fc.string({ unit: "binary", minLength: 1, maxLength: 6 });
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("```", "</details>", "@drover merge", "```rmcoc"),
);
const at = fc.integer({ min: 0, max: 2 ** 42 });
const head = fc.integer({ min: 0, max: 3 }).map((digit) => String(digit).repeat(40));
const branch = fc.constantFrom("main", "a/b", "a b");
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const list = <T>(item: fc.Arbitrary<T>, keyOf: (item: T) => unknown) =>
  fc.uniqueArray(item, { selector: (each) => JSON.stringify(keyOf(each)), maxLength: 4 });

const finding = fc.record({
  role: fc.constantFrom("general", "security"),
  rule: id,
  path: id,
  side: fc.constantFrom("old", "new"),
  lines: fc.constant({ first: 1, last: 2 }),
  snippet: text,
  message: id,
  assessment: text,
  score: fc.integer({ min: 1, max: 10 }),
  suggestion: nullable(text),
  id,
  isBlocking: fc.boolean(),
  head,
  round: fc.integer({ min: 1, max: 9 }),
  state: fc.oneof(
    fc.record({ kind: fc.constantFrom("open", "disputed", "escalated") }),
    fc.record({
      kind: fc.constant("resolved"),
      resolution: fc.oneof(
        fc.record({ how: fc.constant("fixed"), head }),
        fc.record({ how: fc.constant("conceded"), reply: id }),
        fc.record({ how: fc.constant("waived"), by: id, head }),
      ),
    }),
  ),
  thread: nullable(id),
  foundAt: at,
});

const run = fc.record({
  head,
  baseBranch: branch,
  role: fc.constantFrom("general", "security"),
  trigger: fc.oneof(
    fc.record({ kind: fc.constant("automatic") }),
    fc.record({ kind: fc.constant("manual"), comment: id, by: id }),
  ),
  round: fc.integer({ min: 1, max: 9 }),
  state: fc.oneof(
    fc.record({ kind: fc.constantFrom("running", "interrupted") }),
    fc.record({ kind: fc.constant("cancelled"), by: fc.constantFrom("command", "newer_head", "suppression") }),
    fc.record({ kind: fc.constant("failed"), attempts: fc.constant(2), why: text, retryAt: at }),
    fc.record({
      kind: fc.constant("completed"),
      at,
      coverage: fc.record({
        filesRead: fc.nat(),
        unread: fc.array(fc.record({ path: id, why: fc.constantFrom("size", "budget") }), { maxLength: 2 }),
      }),
      findings: fc.constant<readonly string[]>([]),
      summary: text,
    }),
  ),
  startedAt: at,
});

/** A review is published of a run that is known. */
const reviews = list(run, (each) => [each.head, each.baseBranch, each.role, each.trigger, each.startedAt]).chain(
  (runs) =>
    fc
      .record({
        verdicts: fc.array(nullable(fc.constantFrom("approve", "request_changes", "comment")), { maxLength: 4 }),
        ids: fc.uniqueArray(id, { minLength: 4, maxLength: 4 }),
      })
      .map(({ verdicts, ids }) => ({
        runs,
        published: runs.flatMap(({ role, head: sha }, index) => {
          const verdict = verdicts[index] ?? null;
          return verdict === null ? [] : [{ role, head: sha, review: ids[index], verdict, digest: "d" }];
        }),
      })),
);

const session = fc.record({
  id,
  purpose: fc.constantFrom("feedback", "command"),
  head,
  startedAt: at,
  feedback: fc.array(id, { maxLength: 3 }),
  state: fc.oneof(
    fc.record({ kind: fc.constantFrom("running", "stopped") }),
    fc.record({ kind: fc.constant("pushed"), head, diff: id }),
    fc.record({ kind: fc.constantFrom("stalled", "failed"), why: text }),
  ),
});

const questionOf = (answer: fc.Arbitrary<string | null>) =>
  fc.record({ comment: id, revision: id, status: fc.constantFrom("PENDING", "IN_PROGRESS", "ANSWERED"), answer });

const arbitraryRecords: fc.Arbitrary<Records> = fc
  .record({
    heads: list(fc.record({ sha: head, baseBranch: branch, since: at, patch: nullable(id) }), (each) => each),
    commands: list(
      fc.record({
        comment: id,
        word: fc.constantFrom("merge", "hold", "disable-reviews"),
        by: id,
        at,
        head: nullable(head),
        outcome: fc.constantFrom("obeyed", "refused", "void", "malformed"),
        forMs: fc.option(fc.integer({ min: 1, max: 1e9 })),
      }),
      (each) => each.comment,
    ),
    questions: list(questionOf(nullable(id)), (each) => each.comment),
    manualReviews: list(
      fc.record({ comment: id, status: fc.constantFrom("PENDING", "COMPLETED", "DISMISSED_BY_AUTO_REVIEW"), head }),
      (each) => each.comment,
    ),
    disputes: list(
      fc.record({
        reply: id,
        revision: id,
        finding: id,
        outcome: fc.constantFrom("conceded", "maintained", "escalated"),
      }),
      (each) => each.reply,
    ),
    classifications: list(
      fc.record({ comment: id, revision: id, meaning: fc.constantFrom("question", "dispute", "nothing") }),
      (each) => `${each.comment} ${each.revision}`,
    ),
    findings: list(finding, (each) => each.id),
    approvals: list(fc.record({ account: id, signal: id, at, head, baseBranch: branch }), (each) => each.signal),
    sessions: list(session, (each) => each.id),
    closedThreads: list(id, (each) => each),
    status: nullable(
      fc.record({ status: fc.constantFrom("approved", "timeout"), count: fc.integer({ min: 1, max: 9 }) }),
    ),
    escalations: list(text, (each) => each),
    mergeQueued: nullable(fc.record({ head, baseBranch: branch })),
    spentMicroUsd: fc.nat(),
    reviews,
  })
  .map(({ reviews: { runs, published }, ...rest }) =>
    Records.parse({ ...rest, runs: runs.map(named(rest)), published }),
  );

/** What a completed run has found is known. */
function named({ findings }: { readonly findings: readonly { readonly id: string }[] }) {
  return (made: { readonly state: { readonly kind: string } }): object => {
    const { state } = made;
    return state.kind === "completed"
      ? { ...made, state: { ...state, findings: findings.map(({ id: own }) => own) } }
      : made;
  };
}

function runAt(startedAt: number) {
  const place = { head: "a".repeat(40), baseBranch: "main", role: "general", round: 1, startedAt };
  return { ...place, trigger: { kind: "automatic" }, state: { kind: "interrupted" } };
}

describe("a lost database", () => {
  it("comes back from the pull alone", () => {
    fc.assert(
      fc.property(arbitraryRecords, (records) => {
        expect(kept(throughThePull(records))).toEqual(kept(records));
      }),
      { numRuns: 80 },
    );
  });

  it("does not take a run whose finding is gone for one that has found nothing", () => {
    const state = { kind: "completed", at: 30, coverage: { filesRead: 1, unread: [] }, findings: ["f"], summary: "" };
    const records = Records.parse({ runs: [{ ...runAt(20), state }, runAt(3)] });
    const accepted = read(write(blocksOf(records, noRevisions)));
    expect(restoreRecords(empty, accepted).runs.map((one) => one.state.kind)).toEqual(["interrupted", "interrupted"]);
    const cut = restoreRecords(empty, accepted, { isCut: true });
    expect(cut.runs.map((one) => one.state.kind).sort()).toEqual(["completed", "interrupted"]);
  });

  it("comes back the same from texts in any order, and from copies too", () => {
    fc.assert(
      fc.property(arbitraryRecords, (records) => {
        const texts = write(blocksOf(records, noRevisions));
        const copies = texts.map((each) => ({ ...each, carrier: Carrier.parse({ kind: "comment", id: "zzzzzzzzz" }) }));
        expect(restoreRecords(empty, read([...copies, ...texts.toReversed()]))).toEqual(throughThePull(records));
      }),
      { numRuns: 30 },
    );
  });

  it("comes back with the newest heads of a long history", () => {
    const heads = Array.from({ length: 500 }, (_, index) => ({
      sha: "a".repeat(64),
      baseBranch: "release/2026-01",
      since: index,
      patch: "b".repeat(64),
    }));
    const restored = throughThePull(Records.parse({ heads }));
    expect(restored.heads.map((each) => each.since)).toEqual(
      Array.from({ length: blockLimits.headsKeptMax }, (_, index) => 500 - blockLimits.headsKeptMax + index),
    );
  });

  it("comes back with the last published review of a role at the end", () => {
    const review = { role: "general", head: "a".repeat(40), digest: "d" };
    const records = Records.parse({
      runs: [runAt(20), runAt(3)],
      published: [
        { ...review, review: "8", verdict: "approve" },
        { ...review, review: "7", verdict: "request_changes" },
      ],
    });
    expect(throughThePull(records).published).toEqual(records.published);
  });
});

describe("questions", () => {
  const asked = { comment: "c", revision: "1", status: "IN_PROGRESS", answer: null };
  const answered = Records.parse({ questions: [{ ...asked, status: "ANSWERED", answer: "a" }] }).questions;
  const answer = blocksOf({ ...empty, questions: answered }, noRevisions).filter(({ carrier }) => carrier !== null);

  function besideItsAnswer(questions: readonly object[]) {
    const blocks = blocksOf(Records.parse({ questions }), noRevisions);
    return restoreRecords(empty, read(write([...blocks, ...answer]))).questions;
  }

  it("are answered by the answer that stands, also when that was never written down", () => {
    expect(besideItsAnswer([asked])).toEqual(answered);
    expect(besideItsAnswer([])).toEqual(answered);
  });

  it("wait for another answer after an edit, with the old one to be edited", () => {
    expect(besideItsAnswer([{ ...asked, revision: "2" }])).toEqual([{ ...asked, revision: "2", answer: "a" }]);
  });
});

describe("a database that exists", () => {
  it("wins over the pull, subject by subject", () => {
    fc.assert(
      fc.property(arbitraryRecords, arbitraryRecords, (stored, other) => {
        const blocks = read(write(blocksOf(other, noRevisions)));
        const merged = restoreRecords(stored, blocks);
        for (const name of ["commands", "questions", "findings", "disputes", "runs", "published"] as const) {
          expect(merged[name].slice(merged[name].length - stored[name].length)).toEqual(stored[name]);
        }
        expect(restoreRecords(merged, blocks)).toEqual(merged);
      }),
      { numRuns: 30 },
    );
  });

  it("is changed by nothing that it knows already", () => {
    fc.assert(
      fc.property(arbitraryRecords, (records) => {
        expect(restoreRecords(records, read(write(blocksOf(records, noRevisions))))).toEqual(records);
      }),
      { numRuns: 30 },
    );
  });

  it("does not get back a merge that was taken from the queue", () => {
    const queued = Records.parse({ mergeQueued: { head: "a".repeat(40), baseBranch: "main" }, spentMicroUsd: 5 });
    const stored = Records.parse({ spentMicroUsd: 6 });
    expect(restoreRecords(stored, read(write(blocksOf(queued, noRevisions))))).toEqual(stored);
  });
});

describe("blocks that are not to be believed", () => {
  it("never change the records: forged, copied from elsewhere, replayed", () => {
    const others = [
      { ...context, pull: 8 },
      { ...context, repository: RepositoryId.parse("other") },
      { ...context, instance: InstanceId.parse("other") },
    ];
    fc.assert(
      fc.property(arbitraryRecords, arbitraryRecords, (stored, wanted) => {
        const blocks = blocksOf(wanted, noRevisions);
        const forged = write(blocks, context, makeBlockSecret(new Uint8Array(32).fill(8)));
        const copied = others.flatMap((where) => write(blocks, where));
        expect(restoreRecords(stored, read([...forged, ...copied]))).toEqual(stored);
        const known = new Map(blocks.map(({ block }) => [`${block.type} ${block.subject}`, 1]));
        expect(restoreRecords(stored, read(write(blocks), known))).toEqual(stored);
      }),
      { numRuns: 40 },
    );
  });

  it("never change the records when edited, in any character", () => {
    fc.assert(
      fc.property(arbitraryRecords, fc.nat(), fc.string({ maxLength: 1 }), (records, place, unit) => {
        const texts = write(blocksOf(records, noRevisions));
        const edited = texts.map((each) => ({
          ...each,
          body: each.body.replaceAll(/^\{.*\}$/gm, (json) => {
            const index = place % json.length;
            return json.slice(0, index) + (json[index] === unit ? "" : unit) + json.slice(index + 1);
          }),
        }));
        expect(restoreRecords(empty, read(edited))).toEqual(empty);
      }),
      { numRuns: 80 },
    );
  });
});
