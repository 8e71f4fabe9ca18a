import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AccountId, Untrusted } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { GiteaRemark, GiteaUser } from "#forges/gitea/gitea-schema.ts";
import { type RemarkedReview, readReplyMark, readThreads, replyMark } from "#forges/gitea/gitea-threads.ts";

const bot = { id: AccountId.parse("3") };
const drover = { id: "3", login: "drover" };
const rita = { id: "7", login: "rita" };
const at = instant(1_767_258_000_000);

function aRemark(id: number, change: Partial<GiteaRemark> = {}): GiteaRemark {
  return {
    id,
    user: rita,
    body: Untrusted.parse(`Remark ${id}.`),
    resolver: false,
    path: "src/app.ts",
    position: 10,
    original_position: 0,
    diff_hunk: "",
    created_at: at,
    updated_at: at,
    ...change,
  };
}

function aReview(remarks: readonly GiteaRemark[], change: Partial<RemarkedReview> = {}): RemarkedReview {
  const review = { body: Untrusted.parse("Some words."), commit_id: null, user: rita };
  return { review, bodyComment: null, remarks, ...change };
}

function aReply(to: number, remarks: readonly GiteaRemark[], user: GiteaUser | null = drover): RemarkedReview {
  return aReview(remarks, { review: { body: Untrusted.parse(replyMark(to)), commit_id: null, user } });
}

function inWords(reviews: readonly RemarkedReview[]): readonly string[] {
  return readThreads(reviews, bot).map(({ thread }) => thread.comments.map(({ id }) => id).join(" "));
}

describe("threads of remarks", () => {
  it.each([rita, null])("are joined by nobody who only says that theirs is a reply: %j", (user) => {
    expect(inWords([aReview([aRemark(1)]), aReply(1, [aRemark(2, { position: 11 })], user)])).toEqual(["1", "2"]);
  });

  it("hold what was said on one line of one review, the oldest first", () => {
    expect(inWords([aReview([aRemark(3), aRemark(1)]), aReview([aRemark(2)])])).toEqual(["1 3", "2"]);
  });

  it("keep lines, files and sides apart", () => {
    const remarks = [
      aRemark(1),
      aRemark(2, { position: 11 }),
      aRemark(3, { path: "src/other.ts" }),
      aRemark(4, { position: 0, original_position: 10 }),
    ];
    const threads = readThreads([aReview(remarks)], bot);
    expect(threads.map(({ thread: { id, path, line } }) => [id, path, line])).toEqual([
      ["1", "src/app.ts", 10],
      ["2", "src/app.ts", 11],
      ["3", "src/other.ts", 10],
      ["4", "src/app.ts", 10],
    ]);
    expect(threads.map(({ location }) => location.side)).toEqual(["new", "new", "new", "old"]);
  });

  it("are one for each remark that came with the review, and replies follow the last of them", () => {
    const remarks = [aRemark(1), aRemark(2), aRemark(4), aRemark(5)];
    expect(inWords([aReview(remarks, { bodyComment: 3 })])).toEqual(["1", "2 4 5"]);
  });

  it("are resolved as a whole where the first remark of the conversation is", () => {
    const remarks = [aRemark(1, { resolver: true }), aRemark(2), aRemark(4)];
    const threads = readThreads([aReview(remarks, { bodyComment: 3 })], bot);
    expect(threads.map(({ thread }) => thread.isResolved)).toEqual([true, true]);
    const open = readThreads([aReview([aRemark(1), aRemark(4, { resolver: true })], { bodyComment: 3 })], bot);
    expect(open.map(({ thread }) => thread.isResolved)).toEqual([false]);
  });

  it("take in replies that are reviews of their own, wherever those are listed", () => {
    const reviews = [aReply(1, [aRemark(9)]), aReview([aRemark(1)]), aReview([aRemark(2)]), aReply(2, [aRemark(8)])];
    expect(inWords(reviews)).toEqual(["1 9", "2 8"]);
  });

  it("take in a reply to a reply, and to a remark that is not the first any more", () => {
    const reviews = [aReview([aRemark(1), aRemark(2)]), aReply(2, [aRemark(8)]), aReply(8, [aRemark(9)])];
    expect(inWords(reviews)).toEqual(["1 2 8 9"]);
  });

  it("are begun by a reply whose thread is gone", () => {
    expect(inWords([aReply(4711, [aRemark(9)])])).toEqual(["9"]);
  });

  it("lose no remark and hold none twice, however they came", () => {
    const remark = fc.record({ line: fc.integer({ min: 1, max: 3 }), isOld: fc.boolean() });
    const review = fc.record({
      remarks: fc.array(remark, { maxLength: 5 }),
      to: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
      bodyComment: fc.option(fc.integer({ min: 1, max: 40 })),
    });
    fc.assert(
      fc.property(fc.array(review, { maxLength: 8 }), (made) => {
        let last = 0;
        const reviews = made.map(({ remarks, to, bodyComment }) => {
          const said = remarks.map(({ line, isOld }) => {
            last += 1;
            return aRemark(last, { position: isOld ? 0 : line, original_position: isOld ? line : 0 });
          });
          return to === undefined ? aReview(said, { bodyComment }) : aReply(to, said);
        });
        const threads = readThreads(reviews, bot);
        const ids = threads.flatMap(({ thread }) => thread.comments.map(({ id }) => Number(id)));
        expect(ids.toSorted((one, other) => one - other)).toEqual(
          Array.from({ length: last }, (_, index) => index + 1),
        );
        for (const { thread } of threads) expect(thread.id).toBe(thread.comments[0]?.id);
      }),
    );
  });
});

describe("the mark of a reply", () => {
  it("is read back, and nothing else is taken for it", () => {
    expect(readReplyMark(replyMark(123))).toBe(123);
    expect(readReplyMark(`${replyMark(123)}\n`)).toBe(123);
    for (const body of ["", "In reply to 123", `Look: ${replyMark(1)}`, "<!-- in reply to -->"]) {
      expect(readReplyMark(body)).toBeUndefined();
    }
  });
});
