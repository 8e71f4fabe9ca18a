import { describe, expect, it } from "vitest";
import type { FakePull } from "#testing/fake-pull/fake-pull.ts";
import { settleFakePull } from "#testing/fake-pull/settle-fake-pull.ts";
import { ada, drover, mia, otherBot, otto, patch, permissions, rita } from "#testing/makers.ts";
import {
  changes,
  type Event,
  green,
  head,
  judges,
  opened,
  play,
  pushes,
  retargets,
  reviewed,
  type SomeRules,
  says,
  takesBack,
  thumbs,
  unseen,
  waits,
  whenApproved,
} from "./story.ts";

/** After a force-push a forge may say of an old review that it was of the new commit. */
const rePoints: Event = (pull) => ({
  ...pull,
  reviews: pull.reviews.map((review) => ({ ...review, commit: pull.pull.head.sha })),
});

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

const permits =
  (of: Parameters<typeof permissions>[0]): Event =>
  (pull) => ({ ...pull, permissions: permissions(of) });

describe("whose approval counts", () => {
  it("a thumb of a writer on the pull merges it", () => {
    expect(isMerged(waiting(), thumbs(rita))).toBe(true);
  });

  it("a formal approval of a writer merges it", () => {
    expect(isMerged(waiting(), judges(mia, "approved"))).toBe(true);
  });

  it.each([
    ["the author who may write", ada],
    ["an outsider", otto],
    ["the bot", drover],
    ["another bot", otherBot],
  ])("an approval by %s merges nothing", (_, who) => {
    const everybody = permits({ ada: "admin", otto: "read", drover: "admin", "other-bot": "write" });
    expect(isMerged(waiting(), everybody, thumbs(who), judges(who, "approved"))).toBe(false);
  });

  it("on a forge that does not tell bots from people the bot still does not approve, nor ask for changes", () => {
    const plain = { ...drover, kind: "person" as const };
    const start = { ...opened(whenApproved), bot: plain };
    const own = [permits({ drover: "admin" }), thumbs(plain), judges(plain, "approved")];
    expect(isMerged(start, reviewed(), green, ...own)).toBe(false);
    expect(statusAfter({ ...opened(), bot: plain }, says(plain, "Please rename it."))).toBe("pending");
  });

  it("a permission that cannot be determined is none", () => {
    expect(isMerged(waiting(), permits({ rita: "undetermined" }), thumbs(rita))).toBe(false);
    expect(isMerged(waiting(), permits({}), judges(rita, "approved"))).toBe(false);
  });

  it("an approver who lost the permission has not approved", () => {
    const early = play(opened(whenApproved), reviewed(), thumbs(rita), permits({ rita: "read" }), green);
    expect(early.pull.pull.state).toBe("open");
  });

  it("with a list of approvers nobody else counts, and the author not even when listed", () => {
    const start = waiting({ approval: { approvers: { kind: "listed", people: ["mia", "ada"], teams: [] } } });
    expect(isMerged(start, thumbs(rita))).toBe(false);
    expect(isMerged(start, permits({ ada: "admin" }), thumbs(ada))).toBe(false);
    expect(isMerged(start, thumbs(mia))).toBe(true);
  });

  it("two approvals are two people, on the same head", () => {
    const two = waiting({ approval: { approvalsMin: 2 } });
    expect(isMerged(two, thumbs(rita), judges(rita, "approved"))).toBe(false);
    expect(isMerged(two, thumbs(rita), judges(mia, "approved"))).toBe(true);
    expect(isMerged(two, thumbs(rita), pushes(head(2)), reviewed(), green, judges(mia, "approved"))).toBe(false);
  });

  it("where code owners are required, another writer is not enough", () => {
    const codeOwners = { kind: "file", text: "*.ts @mia\n" } as const;
    const owned = { ...waiting({ approval: { requiresCodeOwners: true } }), codeOwners };
    expect(isMerged(owned, thumbs(rita))).toBe(false);
    expect(isMerged(owned, thumbs(mia))).toBe(true);
  });
});

describe("for which head it counts", () => {
  const next: readonly Event[] = [reviewed(), green];

  it("a push after the thumb: nothing is merged", () => {
    const late = unseen(thumbs(rita), pushes(head(2)));
    expect(isMerged(waiting(), late, ...next)).toBe(false);
    expect(isMerged(waiting(), late, ...next, takesBack(rita, "+1"), thumbs(rita))).toBe(true);
  });

  it("a thumb and a push in the same second: nothing is merged", () => {
    expect(isMerged(waiting(), (pull) => pushes(head(2))(thumbs(rita)(pull)), ...next)).toBe(false);
  });

  it("a thumb in the very second of the look waits for the next one: a push may have come between", () => {
    const now = settleFakePull(thumbs(rita)(waiting()));
    expect(now.pull.pull.state).toBe("open");
    expect(isMerged(now.pull, waits(0))).toBe(true);
  });

  it("a thumb that Drover saw before the push does not count for the new head either", () => {
    const early = play(opened(whenApproved), thumbs(rita), pushes(head(2)), ...next);
    expect(early.pull.pull.state).toBe("open");
    expect(early.pull.records.status?.status).not.toBe("approved");
  });

  it("a review that the forge re-points at the new head does not approve it", () => {
    expect(isMerged(waiting(), unseen(judges(rita, "approved"), pushes(head(2)), rePoints), ...next)).toBe(false);
    const seen = play(opened(whenApproved), judges(rita, "approved"), unseen(pushes(head(2)), rePoints), ...next);
    expect(seen.pull.pull.state).toBe("open");
  });

  it("a forge that does not tell when a head was pushed: what was said before Drover saw it does not count", () => {
    const late = unseen(thumbs(rita), pushes(head(2), { isTimeTold: false }));
    expect(isMerged(waiting(), late, ...next)).toBe(false);
    const slow = unseen(pushes(head(2), { isTimeTold: false }), thumbs(rita));
    expect(isMerged(waiting(), slow, ...next)).toBe(false);
  });

  it("retargeting the pull voids the approval", () => {
    const untold = changes({ base: { branch: "release", since: null } });
    for (const moved of [retargets("release"), untold]) {
      const end = play(opened(whenApproved), reviewed(), thumbs(rita), moved, ...next);
      expect(end.pull.pull.state).toBe("open");
      expect(end.pull.records.status?.status).not.toBe("approved");
    }
  });

  it("the thumb and the retargeting in the same look: nothing is merged", () => {
    const late = unseen(thumbs(rita), retargets("release"));
    expect(isMerged(waiting(), late, ...next)).toBe(false);
  });

  const known = { ...opened(whenApproved).pull.head, patch: patch("the change") };

  it("a rebase with the same patch keeps it, one changed space loses it", () => {
    const start = play(opened(whenApproved, { head: known }), thumbs(rita)).pull;
    expect(isMerged(start, pushes(head(2), { patch: patch("the change") }), ...next)).toBe(true);
    expect(isMerged(start, pushes(head(2), { patch: patch("the  change") }), ...next)).toBe(false);
    expect(isMerged(start, pushes(head(2)), ...next)).toBe(false);
  });

  it("a rebase of the same patch onto another branch loses it", () => {
    const start = play(opened(whenApproved, { head: known }), thumbs(rita)).pull;
    const moved = unseen(pushes(head(2), { patch: patch("the change") }), retargets("release"));
    expect(isMerged(start, moved, ...next)).toBe(false);
  });

  it("two unknown patches are not the same patch", () => {
    expect(isMerged(play(opened(whenApproved), thumbs(rita)).pull, pushes(head(2)), ...next)).toBe(false);
  });
});

describe("taking it back", () => {
  it("the thumb on the pull taken away", () => {
    const start = play(opened(whenApproved), reviewed(), thumbs(rita));
    expect(start.pull.records.status?.status).toBe("approved");
    const end = play(start.pull, takesBack(rita, "+1"), green);
    expect(end.pull.records.status?.status).toBe("pending");
    expect(end.pull.pull.state).toBe("open");
  });

  it("an approval that its author follows up with a request for changes is gone", () => {
    const end = play(
      opened(whenApproved),
      reviewed(),
      judges(rita, "approved"),
      judges(rita, "changes_requested"),
      green,
    );
    expect(end.pull.pull.state).toBe("open");
    expect(end.pull.records.status?.status).toBe("changes_requested");
  });

  it("a dismissed approval is none", () => {
    const end = play(opened(whenApproved), reviewed(), judges(rita, "approved"), (pull) => ({
      ...green(pull),
      reviews: pull.reviews.map((review) =>
        review.author.id === rita.id ? { ...review, state: "dismissed" as const } : review,
      ),
    }));
    expect(end.pull.pull.state).toBe("open");
  });

  it("a later comment review of the same person does not take the approval back", () => {
    const end = play(opened(whenApproved), reviewed(), judges(rita, "approved"), judges(rita, "commented"));
    expect(end.pull.records.status?.status).toBe("approved");
  });
});
