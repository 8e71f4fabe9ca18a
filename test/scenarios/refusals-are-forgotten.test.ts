import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { gateOf } from "#town/sights.ts";
import { buildTown, manners } from "#town/town.ts";

describe.each(manners)("a token that had expired on a %s", (manner) => {
  it("does not hold up the gate of the next head once it is good again", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.pass(3 * minuteMs);
    const expired = { kind: "expired_token" } as const;
    town.faults.always(({ endpoint }) => endpoint.startsWith("react"), expired);
    await town.as(town.mia).comment(pull, "@drover hold");
    // Each attempt at the acknowledgement makes the wait for the next one longer.
    await town.pass(30 * minuteMs);
    town.faults.clear();
    await town.push(pull, { "src/lexer.ts": "export const words = 8;\n" });
    await town.pass(2 * minuteMs);
    expect(gateOf(town, pull)).toBe("success");
  });
});
