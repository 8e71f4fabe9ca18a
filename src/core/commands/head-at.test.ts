import { describe, expect, it } from "vitest";
import { headAt } from "#core/commands/head-at.ts";
import { instant } from "#core/model/instant.ts";
import { HeadSeen } from "#core/model/pull.ts";

function seen(digit: string, since: number): HeadSeen {
  return HeadSeen.parse({ sha: digit.repeat(40), baseBranch: "main", since, patch: null });
}

const first = seen("a", 1000);
const second = seen("b", 2000);
const third = seen("c", 2000);

describe("headAt", () => {
  it("is the last head that stood before the moment, in whatever order they are listed", () => {
    expect(headAt([first, second], instant(2001))).toBe(second);
    expect(headAt([second, first], instant(2001))).toBe(second);
    expect(headAt([second, first], instant(1500))).toBe(first);
  });

  it("does not take an equal time for a proof", () => {
    expect(headAt([first, second], instant(2000))).toBe(first);
    expect(headAt([first], instant(1000))).toBeNull();
  });

  it("knows nothing before the first head, or without any", () => {
    expect(headAt([first, second], instant(500))).toBeNull();
    expect(headAt([], instant(5000))).toBeNull();
  });

  it("takes the one seen last of two heads of the same second", () => {
    expect(headAt([first, second, third], instant(3000))).toBe(third);
    expect(headAt([first, third, second], instant(3000))).toBe(second);
  });
});
