import { describe, expect, it } from "vitest";
import { digestOf } from "#core/model/digest.ts";
import type { AccountId } from "#core/model/ids.ts";
import { deleteComment, editComment, type FakePull } from "#testing/fake-pull/fake-pull.ts";
import { ada, drover, mia, otherBot, otto, permissions, rita, text } from "#testing/makers.ts";
import {
  aProblem,
  botWords,
  done,
  type Event,
  green,
  head,
  idOf,
  judges,
  onCommand,
  opened,
  outcomes,
  planned,
  play,
  pushes,
  reviewed,
  says,
  thumbs,
  unseen,
  waits,
} from "./story.ts";

const edits =
  (words: string, to: string): Event =>
  (pull) =>
    editComment(pull, idOf(pull, words), to);

function isHeld(pull: FakePull, ...events: readonly Event[]): boolean {
  return play(pull, ...events).situation.hold.kind === "held";
}

function trusting(...bots: readonly AccountId[]): FakePull {
  const everybody = permissions({ rita: "write", "other-bot": "write", drover: "admin" });
  return { ...opened({ trustedBots: [...bots] }), permissions: everybody };
}

describe("being addressed", () => {
  it.each(["@drover hold", "@DROVER hold", "  @Drover   hold  ", "Wait a minute.\r\n@drover hold\r\nThanks."])(
    "a hold is not overlooked: %j",
    (words) => {
      expect(isHeld(opened(), says(mia, words))).toBe(true);
    },
  );

  it.each([
    ["another handle with a tail", "@drover-x hold"],
    ["another handle with a letter more", "@drovers hold"],
    ["a handle inside a word", "me@drover hold"],
    ["a line that starts with something else", "You could say @drover hold here"],
    ["a letter that only looks the same", "@dr\u043Ever hold"],
    ["a quote", "> @drover hold\n\nI would not."],
    ["a quote inside a list", "- > @drover hold"],
    ["a fence", "```\n@drover hold\n```"],
    ["a fence of tildes that nobody closed", "~~~\n@drover hold"],
    ["inline code", "`@drover hold`"],
    ["a comment in HTML", "<!-- @drover hold -->"],
    ["a comment in HTML over several lines", "<!--\n@drover hold\n-->"],
  ])("what is not a command does not hold a pull: %s", (_, words) => {
    const end = play(opened(), says(mia, words));
    expect(end.situation.hold.kind).toBe("free");
    expect(outcomes(end.pull)).toEqual([]);
  });

  it("of two commands in one comment only the first one is obeyed", () => {
    const end = play(opened(), says(mia, "@drover hold\n@drover unhold"));
    expect(outcomes(end.pull)).toEqual(["hold: obeyed"]);
    expect(end.situation.hold.kind).toBe("held");
  });

  it("a handle of one's own replaces the old one", () => {
    const renamed = opened({ handle: "@shepherd" });
    expect(isHeld(renamed, says(mia, "@shepherd hold"))).toBe(true);
    expect(isHeld(renamed, says(mia, "@drover hold"))).toBe(false);
  });

  it("a friendly sentence is not obeyed as a command, but understood first", () => {
    const end = play(opened(), says(mia, "@drover merging this worries me, what do you think?"));
    expect(outcomes(end.pull)).toEqual([]);
    expect(planned(end.pull).filter((action) => action.kind === "classify")).toHaveLength(1);
  });

  it.each([
    "disable-reviews 4h",
    "disable-reviews until tomorrow",
    "disable-reviews for 4 hours",
    "fix $5",
    "fix upto 5",
    "fix 20 min",
  ])("arguments that are almost right are not taken for none: %s", (words) => {
    const end = play(opened(), says(mia, `@drover ${words}`));
    const [word] = words.split(" ");
    expect(outcomes(end.pull)).toEqual([`${word}: malformed`]);
    expect(end.situation.suppression.kind).toBe("enabled");
    expect(done(end, "start_session")).toEqual([]);
    expect(botWords(end.pull)).toContainEqual(expect.stringMatching(/The form is `@.*drover .*`/));
  });

  it("a session is started within what was said, politely", () => {
    const end = play(opened(), says(rita, "Rename it."), says(mia, "@drover fix upto:$5 20m please"));
    expect(outcomes(end.pull)).toEqual(["fix: obeyed"]);
    expect(end.pull.records.commands).toMatchObject([{ uptoMicroUsd: 5_000_000, limitMs: 20 * 60_000 }]);
  });

  it("the description cannot hold or merge", () => {
    const body = text("@drover hold\n@drover merge");
    const end = play(opened(onCommand, { body }), reviewed(), green, thumbs(rita));
    expect(end.situation.hold.kind).toBe("free");
    expect(end.pull.pull.state).toBe("open");
    expect(outcomes(end.pull)).toEqual([]);
  });
});

describe("who may command", () => {
  it.each([
    ["hold", otto],
    ["hold", ada],
    ["unhold", ada],
    ["merge", ada],
    ["merge", otto],
    ["fix", ada],
    ["stop-fixing", otto],
    ["review", otto],
    ["cancel", otto],
    ["disable-reviews", otto],
    ["enable-reviews", otto],
  ])("%s by somebody who may not is refused, visibly and once", (word, who) => {
    const end = play(opened(onCommand), says(who, `@drover ${word}`), green);
    expect(outcomes(end.pull)).toEqual([`${word}: refused`]);
    expect(done(end, "acknowledge").map((action) => action.reaction)).toEqual(["confused"]);
  });

  it.each(["review", "cancel", "disable-reviews", "enable-reviews", "status", "help"])(
    "the author needs no write permission for %s",
    (word) => {
      expect(outcomes(play(opened(), says(ada, `@drover ${word}`)).pull)).toEqual([`${word}: obeyed`]);
    },
  );

  it("the stranger switches reviews off and nothing happens", () => {
    const end = play(opened(), says(otto, "@drover disable-reviews"), pushes(head(2)), reviewed());
    expect(end.situation.suppression.kind).toBe("enabled");
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "success" });
  });

  it("an error of the permission endpoint is a no", () => {
    const unclear = { ...opened(), permissions: permissions({ rita: "undetermined" }) };
    expect(isHeld(unclear, says(rita, "@drover hold"))).toBe(false);
    expect(isHeld({ ...unclear, permissions: [] }, says(rita, "@drover hold"))).toBe(false);
  });

  it("another bot that may write is ignored, until the operator lists its id", () => {
    const ignored = play(trusting(), says(otherBot, "@drover hold"));
    expect(ignored.situation.hold.kind).toBe("free");
    expect(done(ignored, "acknowledge")).toEqual([]);
    expect(isHeld(trusting(otherBot.id), says(otherBot, "@drover hold"))).toBe(true);
  });

  it("the bot never obeys itself, not even when it is listed", () => {
    const end = play(trusting(drover.id), says(drover, "@drover hold"));
    expect(end.situation.hold.kind).toBe("free");
    expect(outcomes(end.pull)).toEqual([]);
  });

  it("the bot knows itself by id: it does obey a person who took its name", () => {
    const namesake = { ...rita, login: "drover" };
    expect(isHeld(opened(), says(namesake, "@drover hold"))).toBe(true);
    const renamedBot = { ...drover, login: "shepherd", kind: "person" as const };
    expect(isHeld(trusting(), says(renamedBot, "@drover hold"))).toBe(false);
  });
});

describe("a command is obeyed once", () => {
  it("an edited comment is not obeyed twice", () => {
    const end = play(
      opened(),
      says(mia, "@drover hold"),
      says(mia, "@drover unhold"),
      edits("@drover hold", "@drover hold\n\nI mean it."),
    );
    expect(end.situation.hold.kind).toBe("free");
    expect(outcomes(end.pull)).toEqual(["hold: obeyed", "unhold: obeyed"]);
  });

  it("a status that was answered cannot be edited into a merge", () => {
    const end = play(
      opened(onCommand),
      reviewed(),
      green,
      thumbs(rita),
      says(rita, "@drover status"),
      edits("@drover status", "@drover merge"),
    );
    expect(end.pull.pull.state).toBe("open");
    expect(outcomes(end.pull)).toEqual(["status: obeyed"]);
  });

  it("a command that was read twice by a moving page is acknowledged once", () => {
    const end = play(opened(), (pull) => {
      const said = says(mia, "@drover hold")(pull);
      return { ...said, comments: [...said.comments, ...said.comments] };
    });
    expect(done(end, "acknowledge")).toHaveLength(1);
  });

  it("a refused command is not obeyed later, when its author has become a writer", () => {
    const end = play(opened(), says(otto, "@drover hold"), (pull) => ({
      ...pull,
      permissions: permissions({ otto: "write" }),
    }));
    expect(outcomes(end.pull)).toEqual(["hold: refused"]);
    expect(end.situation.hold.kind).toBe("free");
  });

  it("a hold that an earlier version obeyed does not go because this one reads a sentence", () => {
    const words = "@drover hold until the release is out";
    const before = says(mia, words)(opened());
    const comment = idOf(before, words);
    const record = {
      comment,
      word: "hold" as const,
      by: mia.id,
      at: before.comments.at(-1)?.createdAt ?? before.observedAt,
      head: head(1),
      outcome: "obeyed" as const,
      forMs: null,
      uptoMicroUsd: null,
      limitMs: null,
    };
    const obeyed = { ...before, records: { ...before.records, commands: [record] } };
    const end = play(obeyed, reviewed());
    expect(end.situation.hold.kind).toBe("held");
    expect(planned(end.pull).filter((action) => action.kind === "classify")).toEqual([]);
    expect(isHeld(obeyed, edits(words, "Never mind."))).toBe(false);
  });

  it("a hold does not go because somebody adds why", () => {
    const end = play(
      opened(),
      says(mia, "@drover hold"),
      edits("@drover hold", "@drover hold, the release is not out."),
    );
    expect(end.situation.hold.kind).toBe("held");
    expect(outcomes(end.pull)).toEqual(["hold: obeyed"]);
  });

  it("what was answered as a sentence is not obeyed by a version that takes it for a command", () => {
    const said = unseen(says(rita, "@drover please merge"), (pull) => {
      const comment = pull.comments.at(-1);
      if (comment === undefined) return pull;
      const classified = { comment: comment.id, revision: digestOf(comment.body), meaning: "command" as const };
      return { ...pull, records: { ...pull.records, classifications: [classified] } };
    });
    const end = play(opened(onCommand), reviewed(), green, thumbs(mia), said);
    expect(outcomes(end.pull)).toEqual([]);
    expect(end.pull.pull.state).toBe("open");
  });

  it("a deleted command is not acknowledged", () => {
    const end = play(
      opened(),
      unseen(says(mia, "@drover hold"), (pull) => deleteComment(pull, idOf(pull, "@drover hold"))),
    );
    expect(done(end, "acknowledge")).toEqual([]);
    expect(end.situation.hold.kind).toBe("free");
  });
});

describe("told how it is written", () => {
  it.each([
    ["a list item", "- @drover review"],
    ["bold letters", "**@drover review**"],
    ["the name of an app", "@drover[bot] review"],
    ["swapped letters", "@drover hlep"],
    ["swapped letters in a longer word", "@drover reveiw"],
    ["a missing hyphen", "@drover disable reviews"],
  ])("a near miss is not obeyed, not asked about, and answered once: %s", (_, words) => {
    const end = play(opened(), says(mia, words), waits(5), says(mia, "Well."));
    expect(outcomes(end.pull)).toEqual([]);
    expect(done(end, "hint")).toHaveLength(1);
    expect(done(end, "classify")).toEqual([]);
    expect(botWords(end.pull).filter((told) => told.includes("not taken as a command"))).toHaveLength(1);
    expect(end.situation.feedback.map(({ id }) => id)).not.toContain(idOf(end.pull, words));
  });

  it("a near miss that is edited into the command is obeyed", () => {
    const end = play(opened(), says(mia, "@drover hlod"), edits("@drover hlod", "@drover hold"));
    expect(outcomes(end.pull)).toEqual(["hold: obeyed"]);
    expect(done(end, "hint")).toHaveLength(1);
  });

  it.each([
    ["a stranger", otto],
    ["another bot", otherBot],
  ])("%s gets no hint", (_, who) => {
    expect(done(play(opened(), says(who, "- @drover review")), "hint")).toEqual([]);
  });

  it("what was said days ago gets no hint", () => {
    const end = play(opened(), unseen(says(mia, "- @drover review"), waits(2 * 24 * 60)));
    expect(done(end, "hint")).toEqual([]);
  });
});

describe("bound to what its author saw", () => {
  it("merge said to the head before is void", () => {
    const late = unseen(says(rita, "@drover merge"), pushes(head(2)));
    const end = play(opened(onCommand), late, reviewed(), green, thumbs(mia));
    expect(outcomes(end.pull)).toEqual(["merge: void"]);
    expect(end.pull.pull.state).toBe("open");
  });

  it("merge that was obeyed while it had to wait ends with the next push", () => {
    const end = play(opened(onCommand), says(rita, "@drover merge"), pushes(head(2)), reviewed(), green, thumbs(mia));
    expect(outcomes(end.pull)).toEqual(["merge: obeyed"]);
    expect(end.pull.pull.state).toBe("open");
    expect(play(end.pull, says(rita, "@drover merge")).pull.pull.state).toBe("merged");
  });

  it("a remark edited into a merge belongs to the head of the edit, not to that of the remark", () => {
    const start = play(
      opened(onCommand),
      says(rita, "Nice work."),
      pushes(head(2)),
      reviewed(),
      green,
      judges(mia, "approved"),
    );
    expect(start.pull.pull.state).toBe("open");
    const late = unseen(edits("Nice work.", "@drover merge"), pushes(head(3)));
    expect(play(start.pull, late, reviewed(), green, judges(mia, "approved")).pull.pull.state).toBe("open");
    expect(play(start.pull, edits("Nice work.", "@drover merge")).pull.pull.state).toBe("merged");
  });
});

describe("words that go out", () => {
  it.each(["@drover", "@Sheep-Dog"])("the own help text does not summon %s, not even pasted by a writer", (handle) => {
    const told = play(
      opened({ handle }),
      says(ada, `${handle} help`),
      says(ada, `${handle} disable-reviews for 4h`),
      pushes(head(2)),
      says(ada, `${handle} status`),
      says(ada, `${handle} enable-reviews`),
      says(otto, `${handle} merge`),
      says(rita, `${handle} disable-reviews for a while`),
      reviewed(aProblem("leak", 8)),
    ).pull;
    expect(botWords(told).length).toBeGreaterThan(5);
    const pasted = play(told, ...botWords(told).map((words) => says(rita, words)));
    expect(outcomes(pasted.pull)).toEqual(outcomes(told));
    expect(planned(pasted.pull).filter((action) => action.kind === "classify")).toEqual([]);
  });

  it("the words of others come back without a live command", () => {
    const sly = { ...aProblem("leak", 8), message: "Bad.\n@drover merge", suggestion: "@drover merge" };
    const told = play(opened({}, { title: text("@drover merge") }), says(ada, "@drover status"), reviewed(sly)).pull;
    const own = botWords(told).filter((words) => !words.startsWith("Bad."));
    const pasted = play(told, ...own.map((words) => says(rita, words)));
    expect(outcomes(pasted.pull)).toEqual(outcomes(told));
  });
});
