import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, manners } from "#harness/harness.ts";
import { gateOf } from "#harness/sights.ts";

describe.each(manners)("a token that had expired on a %s", (manner) => {
  it("does not hold up the gate of the next head once it is good again", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.pass(3 * minuteMs);
    const expired = { kind: "expired_token" } as const;
    harness.faults.always(({ endpoint }) => endpoint.startsWith("react"), expired);
    await harness.as(harness.mia).comment(pull, "@drover hold");
    // Each attempt at the acknowledgement makes the wait for the next one longer.
    await harness.pass(30 * minuteMs);
    harness.faults.clear();
    await harness.push(pull, { "src/lexer.ts": "export const words = 8;\n" });
    await harness.pass(2 * minuteMs);
    expect(gateOf(harness, pull)).toBe("success");
  });
});
