import { describe, expect, it } from "vitest";
import { coalesceReads } from "#server/status-routes.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

function world() {
  const clock = createVirtualClock(at(0));
  const answers: ((word: string) => void)[] = [];
  const ask = coalesceReads({
    read: () => new Promise<string>((resolve) => answers.push(resolve)),
    clock,
    keepMs: 2000,
  });
  return { clock, answers, ask };
}

describe("a shared reading", () => {
  it("serves all who ask before it has ended, however long that takes", async () => {
    const { clock, answers, ask } = world();
    const first = ask();
    await clock.advance(60_000);
    const second = ask();
    expect(answers).toHaveLength(1);
    answers[0]?.("a");
    expect(await Promise.all([first, second])).toEqual(["a", "a"]);
  });

  it("does for those who ask a moment later, and is made anew for those after", async () => {
    const { clock, answers, ask } = world();
    const first = ask();
    answers[0]?.("a");
    await first;
    await clock.advance(1999);
    expect(await ask()).toBe("a");
    await clock.advance(1);
    const next = ask();
    expect(answers).toHaveLength(2);
    answers[1]?.("b");
    expect(await next).toBe("b");
  });

  it("is not kept for hours by a clock that was set back", async () => {
    const { clock, answers, ask } = world();
    const first = ask();
    answers[0]?.("a");
    await first;
    clock.set(at(-3_600_000));
    void ask();
    expect(answers).toHaveLength(2);
  });
});
