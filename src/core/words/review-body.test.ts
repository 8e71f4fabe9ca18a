import { describe, expect, it } from "vitest";
import { supersededBody } from "#core/words/review-body.ts";

describe("the text of a superseded review", () => {
  it("says so above its words and below what finds it", () => {
    expect(supersededBody("<!-- drover:review general 0 -->\n<!-- drover:effect 1 -->\nFine.")).toMatchInlineSnapshot(`
      "<!-- drover:review general 0 -->
      <!-- drover:effect 1 -->
      _Superseded: this approval no longer counts._

      Fine."
    `);
  });

  it("is not marked twice, and nothing is made of nothing", () => {
    const once = supersededBody("Fine.") ?? "";
    expect(supersededBody(once)).toBeNull();
    expect(supersededBody("")).toBeNull();
  });
});
