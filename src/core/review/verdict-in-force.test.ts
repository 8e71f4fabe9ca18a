import { describe, expect, it } from "vitest";
import type { Review } from "#core/model/conversation.ts";
import { verdictInForce } from "#core/review/verdict-in-force.ts";
import { aReview, drover, rita } from "#testing/makers.ts";

function inForce(...reviews: readonly Review[]): string {
  return verdictInForce({ reviews, account: drover.id });
}

describe("the verdict in force", () => {
  it("is the last one, whatever the order of the list", () => {
    const [first, second] = [aReview(1, drover, "approved", 1), aReview(2, drover, "changes_requested", 2)];
    expect(inForce(first, second)).toBe("request_changes");
    expect(inForce(second, first)).toBe("request_changes");
  });

  it("is decided by the running number within one instant", () => {
    expect(inForce(aReview(10, drover, "approved", 1), aReview(9, drover, "changes_requested", 1))).toBe("approve");
  });

  it.each(["commented", "dismissed", "pending"] as const)("does not come from a review that is %s", (state) => {
    expect(inForce(aReview(1, drover, "approved", 1), aReview(2, drover, state, 2))).toBe("approve");
    expect(inForce(aReview(2, drover, state, 2))).toBe("none");
  });

  it("does not come from somebody else", () => {
    expect(inForce(aReview(1, rita, "approved", 1))).toBe("none");
  });
});
