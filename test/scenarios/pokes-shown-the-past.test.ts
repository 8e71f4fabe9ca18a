import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, manners } from "#harness/harness.ts";
import { reactionsOn } from "#harness/sights.ts";

/** Where nobody looks for thumbs, no timer would bring Drover back by itself. */
const quiet = { approval: { protocols: "reviews" } } as const;

describe.each(manners)("a webhook that comes before a lagging %s shows what it is about", (manner) => {
  it.each([
    ["on a pull that waits for a formal review", false],
    ["on a draft", true],
  ])("does not lose the command, %s", async (_, isDraft) => {
    const harness = await buildHarness({ manner, rules: quiet });
    const pull = await harness.open({ isDraft });
    await harness.pass(10 * minuteMs);
    const lag = { kind: "stale", ms: 50 * secondMs } as const;
    harness.faults.always(({ endpoint }) => endpoint === "list_comments", lag);
    const comment = await harness.as(harness.mia).comment(pull, "@drover hold");
    await harness.pass(minuteMs);
    await harness.pass(4 * minuteMs);
    expect(reactionsOn(harness, pull, comment)).toEqual(["+1"]);
  });

  it("does not go on looking for ever", async () => {
    const harness = await buildHarness({ manner, rules: quiet });
    const pull = await harness.open();
    await harness.pass(10 * minuteMs);
    await harness.as(harness.mia).comment(pull, "Nothing for anybody.");
    await harness.pass(10 * minuteMs);
    const looks = harness.reports.length;
    await harness.pass(30 * minuteMs);
    expect(harness.reports).toHaveLength(looks);
  });
});
