import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { reactionsOn } from "#town/sights.ts";
import { buildTown, manners } from "#town/town.ts";

/** Where nobody looks for thumbs, no timer would bring Drover back by itself. */
const quiet = { approval: { protocols: "reviews" } } as const;

describe.each(manners)("a webhook that comes before a lagging %s shows what it is about", (manner) => {
  it.each([
    ["on a pull that waits for a formal review", false],
    ["on a draft", true],
  ])("does not lose the command, %s", async (_, isDraft) => {
    const town = await buildTown({ manner, rules: quiet });
    const pull = await town.open({ isDraft });
    await town.pass(10 * minuteMs);
    const lag = { kind: "stale", ms: 50 * secondMs } as const;
    town.faults.always(({ endpoint }) => endpoint === "list_comments", lag);
    const comment = await town.as(town.mia).comment(pull, "@drover hold");
    await town.pass(minuteMs);
    await town.pass(4 * minuteMs);
    expect(reactionsOn(town, pull, comment)).toEqual(["+1"]);
  });

  it("does not go on looking for ever", async () => {
    const town = await buildTown({ manner, rules: quiet });
    const pull = await town.open();
    await town.pass(10 * minuteMs);
    await town.as(town.mia).comment(pull, "Nothing for anybody.");
    await town.pass(10 * minuteMs);
    const looks = town.reports.length;
    await town.pass(30 * minuteMs);
    expect(town.reports).toHaveLength(looks);
  });
});
