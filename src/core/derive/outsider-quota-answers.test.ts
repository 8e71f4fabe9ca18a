import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import { CommentId, FindingId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import { editComment, type FakePull, passTime, say } from "#testing/fake-pull/fake-pull.ts";
import { settleFakePull } from "#testing/fake-pull/settle-fake-pull.ts";
import { aComment, ada, anObservation, aThread, at, drover, otto, rita, someRules } from "#testing/makers.ts";

const max = 3;
const few = someRules({ conversation: { outsiderAnswersMax: max, answers: "everyone" } });

function asking(count: number, by = ada): Observation {
  const comments = Array.from({ length: count }, (_, index) => aComment(index + 1, by, `@drover why ${index}?`, index));
  return anObservation({ rules: few, comments });
}

/** What a model would be asked about now. */
function asked(seen: Observation): readonly string[] {
  return plan(seen, derive(seen)).flatMap((action) => {
    if (action.kind === "classify" || action.kind === "answer") return [action.comment];
    return action.kind === "resolve_dispute" ? action.replies.map(({ comment }) => comment) : [];
  });
}

/** A model understands everything that waits, as a question; what is answered is then in the records. */
function understood(pull: FakePull): FakePull {
  const known = plan(pull, derive(pull)).flatMap((action) =>
    action.kind === "classify"
      ? [{ comment: action.comment, revision: action.revision, meaning: "question" as const }]
      : [],
  );
  const classifications = [...pull.records.classifications, ...known];
  return { ...pull, records: { ...pull.records, classifications } };
}

describe("answers for people without write permission", () => {
  it("are given to the first remarks; the rest is told of once, and stays to be seen", () => {
    const seen = asking(5);
    expect(asked(seen)).toEqual(["1", "2", "3"]);
    const { pull, situation, done } = settleFakePull(understood(seen));
    expect(situation.conversation.unanswered.map(({ remark }) => remark.id)).toEqual(["4", "5"]);
    const told = done.flatMap((action) => (action.kind === "escalate" ? [action] : []));
    expect(told.map(({ severity }) => severity)).toEqual(["info"]);
    expect(told[0]?.text).toContain("I answer at most 3 remarks per pull for people without write permission");
    const words = done.flatMap((action) => (action.kind === "update_managed_comment" ? [action.text] : []));
    expect(words.at(-1)).toContain("**Not answered:** 2 remarks of people without write permission");
    const later = settleFakePull(say(passTime(pull, minuteMs), ada, "@drover and now?"));
    expect(later.situation.conversation.unanswered).toHaveLength(3);
    expect(later.done.filter(({ kind }) => kind === "escalate")).toEqual([]);
  });

  it("are counted over all of them, and not for people who may write", () => {
    const strangers = [aComment(1, otto, "@drover a?", 1), aComment(2, ada, "@drover b?", 2)];
    const writers = [3, 4, 5, 6, 7].map((id) => aComment(id, rita, `@drover ${id}?`, id));
    const late = [aComment(8, otto, "@drover c?", 8), aComment(9, ada, "@drover d?", 9)];
    const seen = { ...asking(0), comments: [...strangers, ...writers, ...late] };
    // The author of the pull and people who may write come before the others.
    expect(asked(seen)).toEqual(["2", "3", "4", "5", "6", "7", "1", "8"]);
  });

  it("are not given to whom the forge says nothing about", () => {
    expect(asked({ ...asking(5, rita), permissions: [] })).toEqual(["1", "2", "3"]);
  });

  it("come when whoever asked has been given write permission", () => {
    const seen = asking(5);
    const known = settleFakePull(understood(seen)).pull;
    const permissions = [{ account: ada.id, permission: "write" as const }];
    expect(asked({ ...known, permissions })).toEqual(["4", "5"]);
  });

  it("are used up by edits, and deleting what was asked gives none back", () => {
    let pull: FakePull = asking(1);
    for (const words of ["@drover two?", "@drover three?", "@drover four?"]) {
      pull = settleFakePull(understood(pull)).pull;
      pull = editComment(passTime(pull, minuteMs), "1", words);
    }
    expect(asked(pull)).toEqual([]);
    const emptied = { ...pull, comments: pull.comments.filter(({ author }) => author.id !== ada.id) };
    expect(asked(say(emptied, ada, "@drover five?"))).toEqual([]);
  });

  it("are used up by what is said in threads as well", () => {
    const replies = [1, 2, 3, 4].map((id) => aComment(id, ada, `No, ${id}.`, id));
    const threads = [aThread(1, [aComment(90, drover, "This leaks.", 0), ...replies])];
    expect(asked({ ...asking(0), threads })).toEqual(["1", "2", "3"]);
  });

  it("are read from questions and disputes, which outlive the database, as well as from what was understood", () => {
    const seen = asking(5);
    const [gone, other] = [CommentId.parse("90"), CommentId.parse("91")];
    const questions = [{ comment: gone, revision: "r", status: "ANSWERED" as const, answer: null }];
    const disputes = [{ reply: other, revision: "r", finding: FindingId.parse("f"), outcome: "maintained" as const }];
    const records = { ...seen.records, questions, disputes };
    expect(asked({ ...seen, records })).toEqual(["1"]);
  });

  it("are never more than the rules say, whoever asks what and edits it how often", () => {
    const anyDeed = fc.record({
      by: fc.constantFrom(ada, otto, rita),
      edits: fc.option(fc.integer({ min: 1, max: 12 })),
      isUnderstood: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyDeed, { maxLength: 20 }), (deeds) => {
        let pull: FakePull = { ...asking(0), observedAt: at(1) };
        const paid = new Set<string>();
        for (const [index, { by, edits, isUnderstood }] of deeds.entries()) {
          const words = `@drover question ${index}?`;
          const mine = pull.comments.find(({ id, author }) => id === String(edits) && author.id === by.id);
          pull = passTime(pull, minuteMs);
          pull = mine === undefined ? say(pull, by, words) : editComment(pull, mine.id, words);
          if (isUnderstood) pull = settleFakePull(understood(pull)).pull;
          for (const { comment, revision } of pull.records.classifications) {
            const author = pull.comments.find(({ id }) => id === comment)?.author;
            if (author?.id !== rita.id) paid.add(`${comment} ${revision}`);
          }
        }
        expect(paid.size).toBeLessThanOrEqual(max);
      }),
      { numRuns: 100 },
    );
  });
});
