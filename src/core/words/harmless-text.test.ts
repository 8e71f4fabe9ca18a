import { describe, expect, it } from "vitest";
import { harmlessLine, harmlessText } from "#core/words/harmless-text.ts";

describe("what a model said", () => {
  it("names people and decorators as they are called, whichever sign it has read", () => {
    expect(harmlessText("Ask ＠alice, or @bob, about `＠Injectable()`.", 100)).toBe(
      "Ask @alice, or @bob, about `@Injectable()`.",
    );
    expect(harmlessLine("See ＠org/team", 100)).toBe("See @org/team");
  });
});
