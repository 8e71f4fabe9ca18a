import { describe, expect, it } from "vitest";
import type { Finding } from "#core/model/finding.ts";
import { CommentId } from "#core/model/ids.ts";
import { verdictOf } from "#core/review/verdict.ts";
import { aFinding } from "#testing/makers.ts";

const whole = { filesRead: 3, unread: [] };
const partial = { filesRead: 3, unread: [{ path: "big.json", why: "size" as const }] };
const conceded: Finding["state"] = { kind: "resolved", resolution: { how: "conceded", reply: CommentId.parse("1") } };

describe("the verdict of a role", () => {
  it.each(["open", "disputed", "escalated"] as const)("requests changes for a blocker that is %s", (kind) => {
    expect(verdictOf({ findings: [aFinding("f", { state: { kind } })], coverage: whole })).toBe("request_changes");
  });

  it("requests changes for an open blocker even where it could not read everything", () => {
    expect(verdictOf({ findings: [aFinding("f")], coverage: partial })).toBe("request_changes");
  });

  it("approves what it read completely and has nothing against", () => {
    const findings = [aFinding("f", { isBlocking: false }), aFinding("g", { state: conceded })];
    expect(verdictOf({ findings, coverage: whole })).toBe("approve");
  });

  it("approves where everything is excluded on purpose", () => {
    const coverage = { filesRead: 0, unread: [{ path: "dist/a.js", why: "excluded" as const }] };
    expect(verdictOf({ findings: [], coverage })).toBe("approve");
  });

  it("never approves what was read in part, or not at all", () => {
    expect(verdictOf({ findings: [], coverage: partial })).toBe("comment");
    expect(verdictOf({ findings: [], coverage: { filesRead: 0, unread: [] } })).toBe("comment");
  });
});
