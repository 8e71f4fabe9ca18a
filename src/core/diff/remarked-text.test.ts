import { describe, expect, it } from "vitest";
import { readRemarkedText } from "#core/diff/remarked-text.ts";

const hunk = "@@ -7,7 +7,8 @@ heading\n line 7\n line 8\n-line 9\n-line 10\n+ten a\r\n+ten b";

describe("the text of a remark", () => {
  it("is what the piece of the diff ends with, on the side of the remark", () => {
    expect(readRemarkedText(hunk, { side: "new", first: 10, last: 10 })).toBe("ten b");
    expect(readRemarkedText(hunk, { side: "new", first: 8, last: 10 })).toBe("line 8\nten a\nten b");
  });

  it("is told for the old side too, and not mixed with the new one", () => {
    const old = hunk.split("\n").slice(0, 5).join("\n");
    expect(readRemarkedText(old, { side: "old", first: 8, last: 10 })).toBe("line 8\nline 9\nline 10");
    expect(readRemarkedText(old, { side: "new", first: 10, last: 10 })).toBeNull();
    expect(readRemarkedText(hunk, { side: "old", first: 10, last: 10 })).toBeNull();
  });

  it("is not known where the piece is too short, or is none", () => {
    expect(readRemarkedText(hunk, { side: "new", first: 5, last: 10 })).toBeNull();
    for (const none of ["", "\n", "line 7", "@@ -1 +1 @@"]) {
      expect(readRemarkedText(none, { side: "new", first: 1, last: 1 })).toBeNull();
    }
  });

  it("leaves out the sign of a file that ends without a newline, and keeps empty lines", () => {
    const end = "@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n+\n+b\n\\ No newline at end of file\n";
    expect(readRemarkedText(end, { side: "new", first: 1, last: 2 })).toBe("\nb");
  });
});
