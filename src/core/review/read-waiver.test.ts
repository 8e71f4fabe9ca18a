import { describe, expect, it } from "vitest";
import { Untrusted } from "#core/model/ids.ts";
import { asksWaiver } from "#core/review/read-waiver.ts";

function reads(...lines: readonly string[]): boolean {
  return asksWaiver(Untrusted.parse(lines.join("\n")), "@drover");
}

describe("a waiver", () => {
  it.each([
    ["waive"],
    ["Waived."],
    ["WAIVE: the input is ours"],
    ["  waive: indented by hand"],
    ["@drover waive: known and accepted"],
    ["@Drover: waived"],
  ])("is read from the line %j", (line) => {
    expect(reads(line)).toBe(true);
    expect(reads("I have looked at it.", "", line, "", "Thanks.")).toBe(true);
  });

  it.each([
    ["Waive this? Never."],
    ["waiver: what is that"],
    ["waived by nobody"],
    ["I waive: it"],
    ["waive:"],
    ["@drover-x waive: somebody else"],
    ["@alice waive: please"],
    ["> waive: quoted"],
    ["`waive: in code`"],
    ["<!-- waive: hidden -->"],
    ["@droverwaive"],
    [""],
  ])("is not read from the line %j", (line) => {
    expect(reads(line)).toBe(false);
  });

  it("is not read from code or a comment over several lines", () => {
    expect(reads("```", "waive: it", "```")).toBe(false);
    expect(reads("<!--", "waive: it", "-->")).toBe(false);
  });
});
