import { describe, expect, it } from "vitest";
import { at, fullCapabilities, rita, someRules } from "#testing/makers.ts";
import {
  aProblem,
  changes,
  done,
  type Event,
  green,
  head,
  managedWords,
  opened,
  paidRoles,
  planned,
  play,
  pushes,
  reviewed,
  reviewedBy,
  reviewedPartly,
  runningHeads,
  runsEnd,
  type SomeRules,
  says,
  verdicts,
  waits,
} from "./story.ts";

const leak = aProblem("leak", 8);
const twoRoles: SomeRules = { reviews: { roles: paidRoles("general", "security") } };

describe("one live review per role, edited in place", () => {
  it("the first verdict is posted, and the same one with the same words is not posted again", () => {
    const end = play(opened(), reviewed(), waits(10), green);
    expect(verdicts(end.pull)).toEqual(["approved"]);
    expect(done(end, "publish_review")).toHaveLength(1);
  });

  it("the same verdict with other words is an edit: the threads of the review survive", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewed(leak, aProblem("race", 9)));
    expect(verdicts(end.pull)).toEqual(["changes_requested"]);
    expect(done(end, "publish_review").map((action) => action.update.kind)).toEqual(["post", "edit"]);
    expect(end.pull.reviews[0]?.body).toContain("race");
  });

  it("where bodies cannot be edited the new words are posted", () => {
    const stiff = { ...opened(), capabilities: { ...fullCapabilities, mayEditReviewBodies: false } };
    const end = play(stiff, reviewed(leak), pushes(head(2)), reviewed(leak, aProblem("race", 9)));
    expect(verdicts(end.pull)).toEqual(["changes_requested", "changes_requested"]);
  });

  it("an approval is withdrawn when the next head is seen, before anybody has read that", () => {
    const between = play(opened(), reviewed(), pushes(head(2)));
    expect(verdicts(between.pull)).toEqual(["dismissed"]);
    expect(done(between, "withdraw_approval")).toMatchObject([{ role: "general", head: head(2), isFollowed: false }]);
    const end = play(between.pull, waits(10), reviewed(leak));
    expect(verdicts(end.pull)).toEqual(["dismissed", "changes_requested"]);
    expect(done(end, "withdraw_approval")).toEqual([]);
  });

  it("a request for changes that was met stays as it is, and the approval comes after it", () => {
    const before = play(opened(), reviewed(leak));
    const after = play(before.pull, pushes(head(2)), reviewed());
    expect(verdicts(after.pull)).toEqual(["changes_requested", "approved"]);
    expect(after.pull.reviews[0]).toEqual(before.pull.reviews[0]);
  });

  it("a clean, a bad and a clean head again: the last review on the forge is the approval", () => {
    const end = play(opened(), reviewed(), pushes(head(2)), reviewed(leak), pushes(head(3)), reviewed());
    expect(verdicts(end.pull)).toEqual(["dismissed", "changes_requested", "approved"]);
  });
});

describe("two roles, one account", () => {
  it("two roles, one account: no approval in between", () => {
    const between = play(opened(twoRoles), reviewedBy("general"), waits(10));
    expect(verdicts(between.pull)).toEqual([]);
    expect(between.pull.gate?.state).toBe("pending");
    const end = play(between.pull, reviewedBy("security", leak));
    expect(verdicts(end.pull)).not.toContain("approved");
    expect(end.pull.records.published.map((review) => review.verdict)).toEqual(["request_changes", "request_changes"]);
    expect(end.pull.gate?.state).toBe("failure");
  });

  it("a bad verdict need not wait for the other role", () => {
    const end = play(opened(twoRoles), reviewedBy("security", leak));
    expect(verdicts(end.pull)).toEqual(["changes_requested"]);
    expect(end.pull.gate?.state).not.toBe("success");
  });

  it("the role that comes back clean last does not approve over the request of the other", () => {
    const end = play(opened(twoRoles), reviewedBy("security", leak), reviewedBy("general"));
    expect(verdicts(end.pull)).not.toContain("approved");
    expect(end.pull.gate?.state).toBe("failure");
  });

  it("both approve when both are content", () => {
    const end = play(opened(twoRoles), reviewedBy("general"), reviewedBy("security"));
    expect(new Set(verdicts(end.pull))).toEqual(new Set(["approved"]));
    expect(end.pull.gate?.state).toBe("success");
  });

  it("one role finding the fix of its own blocker does not approve while the other has not read the new head", () => {
    const start = play(opened(twoRoles), reviewedBy("security", leak), reviewedBy("general"), pushes(head(2)));
    const between = play(start.pull, reviewedBy("security"));
    expect(verdicts(between.pull)).not.toContain("approved");
    expect(between.pull.gate).toMatchObject({ head: head(2), state: "pending" });
    expect(play(between.pull, reviewedBy("general")).pull.gate?.state).toBe("success");
  });
});

describe("roles that come and go", () => {
  it("one role fails for good, the other is clean: no approval", () => {
    const down = runsEnd({ kind: "failed", attempts: 3, why: "the model is down", retryAt: at(0) });
    const end = play(opened(twoRoles), reviewedBy("general"), down, waits(10));
    expect(verdicts(end.pull)).not.toContain("approved");
    expect(end.pull.gate?.state).toBe("failure");
  });

  it("a role that was added later reads the head too, before the gate is green again", () => {
    const end = play(opened({ reviews: { roles: paidRoles("general") } }), reviewed(), (pull) => ({
      ...pull,
      rules: someRules(twoRoles),
    }));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
    expect(end.pull.gate?.state).toBe("pending");
  });

  it("an approval stays while somebody has the same head read again", () => {
    const end = play(opened(), reviewed(), says(rita, "@drover review"), reviewed());
    expect(done(end, "start_review")).toHaveLength(2);
    expect(verdicts(end.pull)).toEqual(["approved"]);
    expect(done(end, "withdraw_approval")).toEqual([]);
  });

  it("the approval of a role that is no longer configured is withdrawn with the others", () => {
    const both = play(opened(twoRoles), reviewedBy("general"), reviewedBy("security"));
    const one = { ...both.pull, rules: someRules({ reviews: { roles: paidRoles("general") } }) };
    const end = play(one, pushes(head(2)));
    expect(verdicts(end.pull)).toEqual(["dismissed", "dismissed"]);
  });

  it("what a role asked for itself stays as it was while a slower sibling reads the fix", () => {
    const first = play(opened(twoRoles), reviewedBy("general", leak), reviewedBy("security"));
    const request = first.pull.reviews[0];
    const between = play(first.pull, pushes(head(2)), reviewedBy("general"));
    expect(between.pull.reviews[0]).toEqual(request);
    const end = play(between.pull, reviewedBy("security"));
    expect(end.pull.reviews[0]).toEqual(request);
    expect(verdicts(end.pull).slice(-2)).toEqual(["approved", "approved"]);
  });

  it("a role's verdict is not overwritten where the sibling asks for something at the head that fixes it", () => {
    const first = play(opened(twoRoles), reviewedBy("general", leak), reviewedBy("security"));
    const request = first.pull.reviews[0];
    const end = play(first.pull, pushes(head(2)), reviewedBy("general"), reviewedBy("security", aProblem("race", 9)));
    expect(end.pull.reviews[0]).toEqual(request);
    const next = play(end.pull, pushes(head(3)), reviewedBy("general"), reviewedBy("security", aProblem("race", 9)));
    expect(next.pull.reviews).toHaveLength(end.pull.reviews.length);
    expect(next.pull.reviews[0]).toEqual(request);
  });

  it("somebody dismisses the request for changes: the gate stays red", () => {
    const end = play(opened(), reviewed(leak), (pull) => ({
      ...pull,
      reviews: pull.reviews.map((review) => ({ ...review, state: "dismissed" as const })),
    }));
    expect(end.pull.gate?.state).toBe("failure");
    expect(verdicts(end.pull)).toEqual(["dismissed", "changes_requested"]);
    const again = end.pull.reviews.at(-1)?.body ?? "";
    expect(again).toContain("A dismissal does not waive the blocking findings");
    expect(again).toContain("`waive: <reason>`");
    expect(done(play(end.pull, waits(10)), "publish_review")).toEqual([]);
  });

  it("a head that comes back with its defect says that the remark which was closed stands again", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewed(), pushes(head(1)));
    expect(end.pull.gate?.state).toBe("failure");
    expect(end.pull.reviews.at(-1)?.state).toBe("changes_requested");
    expect(end.pull.reviews.at(-1)?.body).toContain(
      "its remark in the code is open again, although its thread was closed",
    );
  });
});

/** The requested look reads only a part; the one before it has read everything. */
const requestedPartly: Event = (pull) => {
  const whole = pull.records.runs.filter(({ trigger }) => trigger.kind === "automatic");
  const after = reviewedPartly(pull);
  const requested = after.records.runs.filter(({ trigger }) => trigger.kind === "manual");
  return { ...after, records: { ...after.records, runs: [...whole, ...requested] } };
};

describe("a head that comes back with its defect, and is looked at again on request", () => {
  it("stays red where that look read only a part of it", () => {
    const back = play(
      opened(),
      reviewed(leak),
      pushes(head(2)),
      reviewed(),
      pushes(head(1)),
      says(rita, "@drover review"),
    );
    const end = play(back.pull, requestedPartly);
    expect(end.pull.records.runs.filter((run) => run.head === head(1))).toHaveLength(2);
    expect(end.pull.gate).toMatchObject({ head: head(1), state: "failure" });
    expect(end.pull.reviews.at(-1)?.state).toBe("changes_requested");
  });
});

describe("the one place that shows the state", () => {
  it("every head has its gate, and an old one is not left to speak for a new one", () => {
    const end = play(opened(), reviewed(), pushes(head(2)));
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "pending" });
  });

  it("there is one managed comment, whatever happens", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewed(), green, changes({ isDraft: true }));
    const created = done(end, "update_managed_comment").filter((action) => action.comment === null);
    expect(created).toHaveLength(1);
    expect(managedWords(end.pull)).toContain(head(2).slice(0, 7));
  });

  it("a managed comment that somebody deleted is written again", () => {
    const end = play(opened(), (pull) => ({
      ...pull,
      comments: pull.comments.filter((comment) => comment.id !== pull.managedComment?.comment),
      managedComment: null,
    }));
    expect(managedWords(end.pull)).toContain(head(1).slice(0, 7));
  });

  it("Drover comes to rest: after its work it plans nothing but to look again", () => {
    const end = play(opened(), reviewed(leak), pushes(head(2)), reviewed(), green);
    expect(new Set(planned(end.pull).map((action) => action.kind))).toEqual(new Set(["look_again"]));
  });
});
