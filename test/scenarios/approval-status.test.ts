import { describe, expect, it } from "vitest";
import { secondMs } from "#core/model/instant.ts";
import type { FakePull } from "#testing/fake-pull/fake-pull.ts";
import { aComment, ada, aThread, drover, mia, rita } from "#testing/makers.ts";
import {
  done,
  type Event,
  green,
  head,
  judges,
  meaning,
  opened,
  planned,
  play,
  pushes,
  reacts,
  reviewed,
  type SomeRules,
  says,
  takesBack,
  thumbs,
  unseen,
  waits,
  whenApproved,
} from "./story.ts";

/** Reviewed and green: only the approval is missing. */
function waiting(approval: SomeRules = {}): FakePull {
  return play(opened({ ...whenApproved, ...approval }), reviewed(), green).pull;
}

function isMerged(pull: FakePull, ...events: readonly Event[]): boolean {
  return play(pull, ...events).pull.pull.state === "merged";
}

function statusAfter(pull: FakePull, ...events: readonly Event[]): string | undefined {
  return play(pull, ...events).pull.records.status?.status;
}

describe("protocols and status", () => {
  it("where only formal reviews count, a thumb is a friendly gesture, and the other way round", () => {
    expect(isMerged(waiting({ approval: { protocols: "reviews" } }), thumbs(rita))).toBe(false);
    expect(isMerged(waiting({ approval: { protocols: "reviews" } }), judges(rita, "approved"))).toBe(true);
    expect(isMerged(waiting({ approval: { protocols: "emoji" } }), judges(rita, "approved"))).toBe(false);
    expect(isMerged(waiting({ approval: { protocols: "emoji" } }), thumbs(rita))).toBe(true);
  });

  it("approved goes before in progress, in progress before changes requested, and that before pending", () => {
    const remark = says(rita, "Please rename it.");
    expect(statusAfter(opened())).toBe("pending");
    expect(statusAfter(opened(), remark)).toBe("changes_requested");
    expect(statusAfter(opened(), remark, reacts(rita, "eyes"))).toBe("in_progress");
    expect(statusAfter(opened(), remark, reacts(rita, "eyes"), thumbs(mia))).toBe("approved");
    expect(statusAfter(opened(), remark, reacts(rita, "eyes"), takesBack(rita, "eyes"))).toBe("changes_requested");
  });

  it("what the author and the bot say is not a request for changes, and neither is a command", () => {
    expect(statusAfter(opened(), says(ada, "I shall rename it."))).toBe("pending");
    expect(statusAfter(opened(), says(drover, "Please rename it."))).toBe("pending");
    expect(statusAfter(opened(), says(rita, "@drover status"))).toBe("pending");
  });

  it("a remark made with the form for reviews is a request for changes as well", () => {
    expect(statusAfter(opened(), judges(rita, "commented", "Please rename it."))).toBe("changes_requested");
  });

  it("a remark that only happens to name the bot is still a request for changes", () => {
    const aside = unseen(says(rita, "Please rename it, or @drover will complain as well."), meaning("nothing"));
    expect(statusAfter(opened(), aside)).toBe("changes_requested");
  });

  it("a thread on a line is a request for changes until it is resolved", () => {
    const thread = aThread(9, [aComment(900, rita, "This leaks.", 2)]);
    const start = play(opened(), (pull) => ({ ...pull, threads: [thread] }));
    expect(start.pull.records.status?.status).toBe("changes_requested");
    expect(statusAfter(start.pull, (pull) => ({ ...pull, threads: [{ ...thread, isResolved: true }] }))).toBe(
      "pending",
    );
  });

  it("a remark after the approval does not take it back", () => {
    const end = play(opened(whenApproved), reviewed(), thumbs(rita), says(rita, "Nice, by the way."), green);
    expect(end.pull.pull.state).toBe("merged");
  });

  it("a push tells everybody that the approval is gone", () => {
    const end = play(opened(), thumbs(rita), pushes(head(2)));
    expect(done(end, "emit").map((action) => action.event.to)).toEqual(["pending", "approved", "pending"]);
  });

  it("every transition is told once, also when a status comes back", () => {
    const end = play(
      opened(),
      reacts(rita, "eyes"),
      waits(5),
      takesBack(rita, "eyes"),
      waits(5),
      reacts(rita, "eyes"),
      waits(5),
    );
    const told = done(end, "emit").map((action) => action.event.to);
    expect(told).toEqual(["pending", "in_progress", "pending", "in_progress"]);
    expect(new Set(done(end, "emit").map((action) => action.key)).size).toBe(4);
  });

  it("nobody came for two hours: that is told once, and a late approval still counts", () => {
    const start = play(opened(whenApproved), reviewed(), green);
    expect(statusAfter(start.pull, waits(100))).toBe("pending");
    const late = play(start.pull, waits(130), waits(130));
    expect(done(late, "emit").map((action) => action.event.to)).toEqual(["timeout"]);
    expect(isMerged(late.pull, thumbs(rita))).toBe(true);
  });

  it("a forge without events for reactions is looked at every 30 seconds while the approval is missing", () => {
    const pull = waiting();
    const looks = planned(pull).flatMap((action) =>
      action.kind === "look_again" ? [action.at - pull.observedAt] : [],
    );
    expect(Math.min(...looks)).toBeLessThanOrEqual(30 * secondMs);
    expect(Math.min(...looks)).toBeGreaterThan(0);
  });
});
