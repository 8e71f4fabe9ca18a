import { describe, expect, it } from "vitest";
import { ada, at, drover, fullCapabilities, rita } from "#testing/makers.ts";
import {
  aProblem,
  changes,
  done,
  type Event,
  green,
  head,
  managedWords,
  opened,
  optIn,
  planned,
  play,
  pushes,
  retargets,
  reviewed,
  reviewedPartly,
  runningHeads,
  runsEnd,
  says,
  thumbs,
  unseen,
  verdicts,
  waits,
  whenApproved,
} from "./story.ts";

const leak = aProblem("leak", 8);

const fails = (attempts: number): Event =>
  runsEnd({ kind: "failed", attempts, why: "the model is down", retryAt: at(0) });

describe("which heads are reviewed", () => {
  it("a draft is not reviewed until it is ready", () => {
    const draft = play(opened({}, { isDraft: true }), pushes(head(2)));
    expect(done(draft, "start_review")).toEqual([]);
    expect(draft.pull.gate?.state).toBe("pending");
    expect(runningHeads(play(draft.pull, changes({ isDraft: false })).pull)).toEqual([head(2)]);
  });

  it("whoever asks for a review is told when it begins and what came of it, where that is wanted", () => {
    const rules = { reviews: { tellsStart: true, tellsEnd: true } };
    const end = play(opened(rules), reviewed(), says(ada, "@drover review"), reviewed(leak), waits(3));
    expect(done(end, "acknowledge").map(({ text }) => text)).toMatchObject([expect.stringContaining("Reviewing `")]);
    const ended = done(end, "complete_manual_review").map(({ text }) => text);
    expect(ended).toMatchObject([expect.stringContaining("as asked: 1 open finding, 1 of them blocks.")]);
  });

  it("a request that failed is told once, and its end is not told as well", () => {
    const rules = { reviews: { tellsEnd: true, attemptsMax: 1 } };
    const end = play(opened(rules), reviewed(), says(ada, "@drover review"), fails(1), waits(3));
    expect(done(end, "complete_manual_review")).toMatchObject([{ text: null }]);
  });

  it("a draft is reviewed when somebody asks for it", () => {
    const end = play(opened({}, { isDraft: true }), says(ada, "@drover review"));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
  });

  it("a pull that goes back to draft keeps no green gate for the next head", () => {
    const end = play(opened(), reviewed(), changes({ isDraft: true }), pushes(head(2)));
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "pending" });
    expect(runningHeads(end.pull)).toEqual([]);
  });

  it("five pushes in a row cost one review, and it is that of the last head", () => {
    const burst = unseen(pushes(head(2)), pushes(head(3)), pushes(head(4)), pushes(head(5)), pushes(head(6)));
    const end = play(opened(), burst);
    expect(runningHeads(end.pull)).toEqual([head(6)]);
    expect(done(end, "start_review").map((action) => action.head)).toEqual([head(1), head(6)]);
    expect(done(end, "cancel_review")).toMatchObject([{ head: head(1), why: "newer_head" }]);
  });

  it("reviews arrive for an old head", () => {
    const end = play(opened(), unseen(pushes(head(2)), reviewed()));
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "pending" });
    expect(verdicts(end.pull)).not.toContain("approved");
    expect(runningHeads(end.pull)).toEqual([head(2)]);
  });

  it("a head is reviewed once, however often somebody looks", () => {
    const end = play(opened(), reviewed(), waits(20), says(rita, "@drover status"), waits(20));
    expect(done(end, "start_review")).toHaveLength(1);
  });

  it("whoever asks for a second look at a reviewed head gets one, and one only", () => {
    const end = play(opened(), reviewed(), says(ada, "@drover review"));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
    const after = play(end.pull, reviewed(), waits(20));
    expect(runningHeads(after.pull)).toEqual([]);
    expect(after.pull.records.manualReviews).toMatchObject([{ status: "COMPLETED" }]);
  });

  it("a request said to the head before is not lost with it: the last head is reviewed", () => {
    const end = play(opened(optIn), unseen(says(rita, "@drover review"), pushes(head(2))));
    expect(runningHeads(end.pull)).toEqual([head(2)]);
  });

  it("a closed pull is not reviewed, and one that comes back is", () => {
    const closed = play(opened(), changes({ state: "closed" }), pushes(head(2)));
    expect(runningHeads(closed.pull)).toEqual([]);
    expect(done(closed, "cancel_review")).toHaveLength(1);
    expect(runningHeads(play(closed.pull, changes({ state: "open" })).pull)).toEqual([head(2)]);
  });

  it("a pull closed and reopened while its head was being reviewed is reviewed to the end", () => {
    const end = play(opened(), changes({ state: "closed" }), changes({ state: "open" }));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
  });

  it("the same commits against another branch are reviewed again", () => {
    const end = play(opened(), reviewed(), retargets("release"));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
    expect(end.pull.gate?.state).toBe("pending");
  });
});

describe("what a finding does", () => {
  it("a blocker makes the gate red and requests changes", () => {
    const end = play(opened(), reviewed(leak));
    expect(end.pull.gate).toMatchObject({ head: head(1), state: "failure" });
    expect(verdicts(end.pull)).toEqual(["changes_requested"]);
  });

  it.each([
    [4, 0, "success"],
    [5, 1, "success"],
    [6, 1, "success"],
    [7, 1, "failure"],
    [10, 1, "failure"],
  ])("a score of %i is kept %i times and the gate is %s", (score, kept, gate) => {
    const end = play(opened(), reviewed(aProblem("leak", score)));
    expect(end.pull.records.findings).toHaveLength(kept);
    expect(end.pull.gate?.state).toBe(gate);
  });

  it("a known finding is not posted again by the next review", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewed(leak));
    expect(end.pull.records.findings).toHaveLength(1);
    expect(end.pull.threads).toHaveLength(1);
    expect(verdicts(end.pull)).toEqual(["changes_requested"]);
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "failure" });
  });

  it("a fixed finding is told so in its thread, once", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewed(), waits(5));
    expect(done(end, "close_finding")).toHaveLength(1);
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "success" });
  });

  it("a push alone does not clear a blocker: the gate waits for the review", () => {
    const end = play(opened(whenApproved), reviewed(leak), pushes(head(2)), green, thumbs(rita));
    expect(end.pull.gate?.head).toBe(head(2));
    expect(end.pull.gate?.state).not.toBe("success");
    expect(end.pull.pull.state).toBe("open");
  });

  it("going back to the head with the leak does not bring the green gate along", () => {
    const end = play(
      opened(whenApproved),
      reviewed(leak),
      pushes(head(2)),
      reviewed(),
      pushes(head(1)),
      green,
      thumbs(rita),
    );
    expect(end.pull.gate?.head).toBe(head(1));
    expect(end.pull.gate?.state).not.toBe("success");
    expect(end.pull.pull.state).toBe("open");
  });

  it("a thread that the author resolves by a click does not clear the blocker", () => {
    const end = play(opened(), reviewed(leak), (pull) => ({
      ...pull,
      threads: pull.threads.map((thread) => ({ ...thread, isResolved: true })),
    }));
    expect(end.pull.gate?.state).toBe("failure");
  });
});

describe("what was not read", () => {
  it("a review of a big pull that left files unread never approves", () => {
    const end = play(opened(whenApproved), reviewedPartly, green, thumbs(rita));
    expect(verdicts(end.pull)).not.toContain("approved");
    expect(end.pull.gate?.state).toBe("pending");
    expect(end.pull.pull.state).toBe("open");
  });

  it("the files that were left out are named", () => {
    const { pull } = play(opened(), reviewedPartly);
    const reviews = pull.reviews.map((review) => review.body);
    expect([...reviews, managedWords(pull)].join("\n")).toContain("src/huge.ts");
  });

  it("a partial review does not lift an earlier request for changes", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewedPartly);
    expect(verdicts(end.pull)).not.toContain("approved");
    expect(end.pull.gate?.state).not.toBe("success");
  });
});

describe("when the reviewers fail", () => {
  it("nothing crashed is not a verdict: a failed review is tried again", () => {
    const end = play(opened(), fails(1));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
    expect(end.pull.gate?.state).toBe("pending");
  });

  it("a review that failed for good leaves a red gate, not a green one, and somebody is called once", () => {
    const end = play(opened({ humans: ["mia"] }), fails(3), waits(10), waits(10));
    expect(runningHeads(end.pull)).toEqual([]);
    expect(end.pull.gate?.state).toBe("failure");
    expect(done(end, "escalate").map((action) => action.to)).toEqual([["mia"]]);
  });

  it("a review that failed for good is tried again when somebody asks, and for the next head", () => {
    const end = play(opened(), fails(3));
    expect(runningHeads(play(end.pull, pushes(head(2))).pull)).toEqual([head(2)]);
    expect(runningHeads(play(end.pull, says(ada, "@drover review")).pull)).toEqual([head(1)]);
  });

  it("a request whose review failed for good does not stand in the way of the next request", () => {
    const end = play(opened(optIn), says(ada, "@drover review"), fails(3), waits(5), says(rita, "@drover review"));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
  });

  it("a review that has to wait is tried again when its time comes", () => {
    const start = play(opened());
    const retryAt = waits(30)(start.pull).observedAt;
    const later = play(start.pull, runsEnd({ kind: "failed", attempts: 1, why: "limited", retryAt }));
    expect(runningHeads(later.pull)).toEqual([]);
    expect(planned(later.pull)).toContainEqual(expect.objectContaining({ kind: "look_again" }));
    expect(runningHeads(play(later.pull, waits(30)).pull)).toEqual([head(1)]);
  });
});

describe("a pull of the bot's own", () => {
  it("the verdict goes into a comment and the gate where the forge refuses a judgement", () => {
    const own = opened({}, { author: drover });
    expect(verdicts(play(own, reviewed(leak)).pull)).toEqual(["commented"]);
    expect(play(own, reviewed(leak)).pull.gate?.state).toBe("failure");
    const clean = play(own, reviewed());
    expect(verdicts(clean.pull)).not.toContain("approved");
    expect(clean.pull.gate?.state).toBe("success");
  });

  it("a forge that allows it gets the verdict itself", () => {
    const own = { ...opened({}, { author: drover }), capabilities: { ...fullCapabilities, mayJudgeOwnPull: true } };
    expect(verdicts(play(own, reviewed(leak)).pull)).toEqual(["changes_requested"]);
  });
});
