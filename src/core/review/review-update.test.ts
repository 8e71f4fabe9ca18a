import { describe, expect, it } from "vitest";
import { ReviewId } from "#core/model/ids.ts";
import type { PublishedReview } from "#core/model/records.ts";
import {
  planReviewUpdates,
  type ReviewsToUpdate,
  type ReviewUpdate,
  type RoleReview,
} from "#core/review/review-update.ts";
import type { Verdict } from "#core/review/verdict.ts";
import { sha } from "#testing/makers.ts";

const capabilities = { mayEditReviewBodies: true, mayDismissReviews: true, mayJudgeOwnPull: false, mayApprove: true };
const review = ReviewId.parse("r1");

function published(verdict: Verdict, digest = "same"): PublishedReview {
  return { role: "general", review, head: sha(1), verdict, digest };
}

function wants(verdict: Verdict, digest = "same"): RoleReview["wanted"] {
  return { verdict, digest };
}

function sibling(over: Partial<RoleReview>): RoleReview {
  return { role: "security", existing: null, wanted: null, ...over };
}

/** What happens to the role `general`. */
function plan(
  one: Pick<RoleReview, "existing" | "wanted">,
  over: Partial<ReviewsToUpdate> & { readonly siblings?: readonly RoleReview[] } = {},
): ReviewUpdate | undefined {
  const { siblings = [], ...others } = over;
  const roles = [...siblings, { role: "general", ...one }];
  return planReviewUpdates({ roles, capabilities, isOwnPull: false, inForce: "none", ...others }).at(-1);
}

describe("a role without siblings", () => {
  it("that has not read the head does nothing", () => {
    expect(plan({ existing: published("approve"), wanted: null })).toMatchObject({
      kind: "nothing",
      why: "no_verdict",
    });
  });

  it.each<Verdict>(["approve", "request_changes", "comment"])(
    "which has no review yet posts its first: %s",
    (verdict) => {
      expect(plan({ existing: null, wanted: wants(verdict) })).toEqual({
        kind: "post",
        why: "first",
        role: "general",
        event: verdict,
        eventWhy: "judged",
        digest: "same",
      });
    },
  );

  it.each<Verdict>(["approve", "request_changes", "comment"])(
    "with the same verdict and body does nothing: %s",
    (verdict) => {
      expect(plan({ existing: published(verdict), wanted: wants(verdict) })).toMatchObject({
        kind: "nothing",
        why: "unchanged",
      });
    },
  );

  it.each<Verdict>(["approve", "request_changes", "comment"])(
    "with the same verdict and another body edits it: %s",
    (verdict) => {
      const update = plan({ existing: published(verdict), wanted: wants(verdict, "other") });
      expect(update).toMatchObject({ kind: "edit", review, event: verdict, digest: "other" });
    },
  );

  it("posts another review where bodies cannot be edited, but only if there is something new to say", () => {
    const fixed = { capabilities: { ...capabilities, mayEditReviewBodies: false } };
    const existing = published("request_changes");
    expect(plan({ existing, wanted: wants("request_changes", "other") }, fixed)).toMatchObject({
      kind: "post",
      why: "body_not_editable",
      event: "request_changes",
    });
    expect(plan({ existing, wanted: wants("request_changes") }, fixed)).toMatchObject({ kind: "nothing" });
  });

  it("dismisses the approval that it replaces where bodies cannot be edited, so that it never comes back", () => {
    const fixed = { ...capabilities, mayEditReviewBodies: false };
    const one = { existing: published("approve"), wanted: wants("approve", "other") };
    expect(plan(one, { capabilities: fixed })).toMatchObject({
      kind: "supersede_and_post",
      why: "approval_replaced",
      event: "approve",
      old: { review, marksBody: false, dismisses: true },
    });
    expect(plan(one, { capabilities: { ...fixed, mayDismissReviews: false } })).toMatchObject({
      kind: "post",
      why: "body_not_editable",
    });
  });

  it("from APPROVED to REQUEST_CHANGES marks the old review and posts the new one", () => {
    expect(plan({ existing: published("approve"), wanted: wants("request_changes") })).toMatchObject({
      kind: "supersede_and_post",
      event: "request_changes",
      old: { review, marksBody: true, dismisses: false },
    });
  });

  it("from APPROVED to REQUEST_CHANGES dismisses the old review where its body cannot be marked", () => {
    const fixed = { capabilities: { ...capabilities, mayEditReviewBodies: false } };
    expect(plan({ existing: published("approve"), wanted: wants("request_changes") }, fixed)).toMatchObject({
      old: { marksBody: false, dismisses: true },
    });
  });

  it("from APPROVED to COMMENT takes the approval out of force, since nobody read this head completely", () => {
    expect(plan({ existing: published("approve"), wanted: wants("comment") })).toMatchObject({
      kind: "supersede_and_post",
      event: "comment",
      old: { review, marksBody: true, dismisses: true },
    });
  });

  it("from APPROVED to COMMENT says at least that it is superseded where nothing can be dismissed", () => {
    const lasting = { capabilities: { ...capabilities, mayDismissReviews: false } };
    expect(plan({ existing: published("approve"), wanted: wants("comment") }, lasting)).toMatchObject({
      kind: "supersede_and_post",
      old: { marksBody: true, dismisses: false },
    });
  });

  it("from REQUEST_CHANGES to APPROVED posts, and the old review stays as it is", () => {
    expect(plan({ existing: published("request_changes"), wanted: wants("approve") })).toMatchObject({
      kind: "post",
      why: "request_lifted",
      event: "approve",
    });
  });

  it("from REQUEST_CHANGES to COMMENT posts, and the request stays in force: the head was not read completely", () => {
    expect(plan({ existing: published("request_changes"), wanted: wants("comment") })).toMatchObject({
      kind: "post",
      why: "request_stays",
      event: "comment",
    });
  });

  it.each<Verdict>(["approve", "request_changes"])("from COMMENT to a verdict posts: %s", (verdict) => {
    expect(plan({ existing: published("comment"), wanted: wants(verdict) })).toMatchObject({
      kind: "post",
      why: "after_comment",
      event: verdict,
    });
  });
});

describe("a role with siblings", () => {
  const requesting = [sibling({ wanted: wants("request_changes") })];

  it("requests changes when a sibling does", () => {
    expect(plan({ existing: null, wanted: wants("approve") }, { siblings: requesting })).toMatchObject({
      kind: "post",
      event: "request_changes",
      eventWhy: "sibling_requests_changes",
    });
    expect(plan({ existing: null, wanted: wants("comment") }, { siblings: requesting })).toMatchObject({
      event: "request_changes",
    });
  });

  it("takes its approval back when a sibling requests changes", () => {
    const update = plan({ existing: published("approve"), wanted: wants("approve") }, { siblings: requesting });
    expect(update).toMatchObject({ kind: "supersede_and_post", event: "request_changes" });
  });

  it("does not say again that it requests changes because of a sibling", () => {
    const update = plan({ existing: published("request_changes"), wanted: wants("approve") }, { siblings: requesting });
    expect(update).toMatchObject({ kind: "nothing", why: "unchanged" });
  });

  it("requests changes when a sibling did for an earlier head and has not read this one", () => {
    const siblings = [sibling({ existing: { ...published("request_changes"), role: "security" } })];
    expect(plan({ existing: null, wanted: wants("approve") }, { siblings })).toMatchObject({
      event: "request_changes",
    });
  });

  it("approves when its sibling did request changes and now approves", () => {
    const siblings = [sibling({ existing: published("request_changes"), wanted: wants("approve") })];
    expect(plan({ existing: null, wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "post",
      event: "approve",
    });
  });

  it("comments instead of approving beside a sibling that could not read everything", () => {
    const siblings = [sibling({ wanted: wants("comment") })];
    expect(plan({ existing: null, wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "post",
      event: "comment",
      eventWhy: "sibling_incomplete",
    });
    expect(plan({ existing: published("comment"), wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "nothing",
      why: "unchanged",
    });
    expect(plan({ existing: published("request_changes"), wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "post",
      why: "request_stays",
      event: "comment",
    });
  });

  it("takes its approval out of force when a sibling could not read everything", () => {
    const siblings = [sibling({ wanted: wants("comment") })];
    expect(plan({ existing: published("approve"), wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "supersede_and_post",
      event: "comment",
      eventWhy: "sibling_incomplete",
      old: { review, marksBody: true, dismisses: true },
    });
  });

  it("requests changes beside one sibling that does and another that could not read everything", () => {
    const siblings = [
      sibling({ wanted: wants("comment") }),
      sibling({ role: "tests", wanted: wants("request_changes") }),
    ];
    expect(plan({ existing: null, wanted: wants("approve") }, { siblings })).toMatchObject({
      event: "request_changes",
      eventWhy: "sibling_requests_changes",
    });
  });

  it("still says for itself what it thinks beside a sibling that could not read everything", () => {
    const siblings = [sibling({ wanted: wants("comment") })];
    for (const verdict of ["request_changes", "comment"] as const) {
      expect(plan({ existing: null, wanted: wants(verdict) }, { siblings })).toMatchObject({
        event: verdict,
        eventWhy: "judged",
      });
    }
  });

  it("approves when its sibling could not read everything before and now approves", () => {
    const siblings = [sibling({ existing: published("comment"), wanted: wants("approve") })];
    expect(plan({ existing: published("comment"), wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "post",
      why: "after_comment",
      event: "approve",
    });
  });

  it.each([
    ["without a review", null],
    ["with a request for changes", published("request_changes")],
    ["with a comment", published("comment")],
    ["with an approval in other words", published("approve", "other")],
  ])("waits with its approval for a sibling that has not finished, %s", (_case, existing) => {
    expect(plan({ existing, wanted: wants("approve") }, { siblings: [sibling({})] })).toEqual({
      kind: "wait",
      role: "general",
      why: "sibling_unfinished",
      siblings: ["security"],
    });
  });

  it("does not wait with anything but an approval", () => {
    const siblings = [sibling({})];
    expect(plan({ existing: null, wanted: wants("request_changes") }, { siblings })).toMatchObject({ kind: "post" });
    expect(plan({ existing: null, wanted: wants("comment") }, { siblings })).toMatchObject({ kind: "post" });
    expect(plan({ existing: published("approve"), wanted: wants("approve") }, { siblings })).toMatchObject({
      kind: "nothing",
    });
  });

  it("posts its request anew when a sibling's approval has come after it", () => {
    const siblings = [sibling({ existing: published("approve") })];
    const one = { existing: published("request_changes"), wanted: wants("request_changes") };
    expect(plan(one, { siblings, inForce: "approve" })).toMatchObject({
      kind: "post",
      why: "request_not_in_force",
      event: "request_changes",
    });
    expect(plan(one, { siblings, inForce: "request_changes" })).toMatchObject({ kind: "nothing" });
  });
});

describe("on its own pull", () => {
  it.each<Verdict>(["approve", "request_changes", "comment"])("a role comments, whatever it thinks: %s", (verdict) => {
    const siblings = [sibling({})];
    expect(plan({ existing: null, wanted: wants(verdict) }, { isOwnPull: true, siblings })).toMatchObject({
      kind: "post",
      event: "comment",
      eventWhy: "own_pull",
    });
  });

  it("a role judges where the forge lets it", () => {
    const lenient = { isOwnPull: true, capabilities: { ...capabilities, mayJudgeOwnPull: true } };
    expect(plan({ existing: null, wanted: wants("approve") }, lenient)).toMatchObject({ event: "approve" });
  });
});

describe("an account that may not approve", () => {
  const unable = { capabilities: { ...capabilities, mayApprove: false } };

  it.each<Verdict>(["approve", "request_changes"])(
    "comments, since it could not lift what it asks for: %s",
    (verdict) => {
      expect(plan({ existing: null, wanted: wants(verdict) }, unable)).toMatchObject({
        kind: "post",
        event: "comment",
        eventWhy: "may_not_approve",
      });
    },
  );

  it("says so where a request for changes of its own stands", () => {
    const one = { existing: published("request_changes"), wanted: wants("approve") };
    expect(plan(one, { ...unable, inForce: "request_changes" })).toMatchObject({
      kind: "post",
      why: "request_stays",
      event: "comment",
      eventWhy: "may_not_lift",
    });
  });

  it.each<Verdict>(["approve", "request_changes"])(
    "keeps what it said when it could, in newer words: %s",
    (verdict) => {
      expect(plan({ existing: published(verdict), wanted: wants(verdict, "other") }, unable)).toMatchObject({
        kind: "edit",
        event: verdict,
        eventWhy: "judged",
      });
    },
  );
});
