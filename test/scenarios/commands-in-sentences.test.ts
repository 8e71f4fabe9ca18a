import { describe, expect, it } from "vitest";
import type { CommentId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botWords, gateOf, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const onCommand = { merge: { when: "on_command", requireCI: false } } as const;

/** A pull that lacks nothing but the command. */
async function approved(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.as(harness.mia).react(pull, "+1");
  await harness.pass(minuteMs);
  expect(gateOf(harness, pull)).toBe("success");
  return pull;
}

async function says(harness: Harness, pull: PullRef, words: string): Promise<CommentId> {
  const said = await harness.as(harness.rita).comment(pull, words);
  await harness.pass(3 * minuteMs);
  return said;
}

const sentences: readonly (readonly [string, string])[] = [
  ["a worry", "@drover merge conflicts are my main worry here, please do not land this before Monday."],
  ["a question and its answer", "@drover merge? No, wait for the release."],
  ["a question", "@drover merge?"],
  ["a condition", "@drover merge when the release is out"],
  ["a negation", "@drover merge not"],
  ["a negation in code", "@drover merge `not`"],
  ["a struck negation", "@drover merge ~~now~~"],
  ["a thought", "@drover merge 👎"],
  ["indented code", "It is done so:\n\n    @drover merge"],
  ["indented code in a list", "- Write this:\n\n      @drover merge\n- and wait"],
  ["code indented by a tab", "It is done so:\n\n\t@drover merge"],
  ["struck lines", "~~It is ready.\n@drover merge\nI think.~~"],
  ["struck lines with single marks", "~It is ready.\n@drover merge\nI think.~"],
  ["display math", "$$\n@drover merge\n$$"],
  ["display math over a blank line", "$$\nx\n\n@drover merge\n$$"],
  ["inline math", "Let $x\n@drover merge\ny$ be."],
  ["a deleted part", "<del>\n@drover merge\n</del>"],
  ["a deleted part over blank lines", "<del>\n\n@drover merge\n\n</del>"],
  ["a struck part", "<s>\n@drover merge\n</s>"],
  ["keys", "<kbd>\n@drover merge\n</kbd>"],
  ["sample output", "<samp>\n@drover merge\n</samp>"],
];

describe.each(manners)("on a %s, a pull that waits for its command", (manner) => {
  it.each(sentences)("is not merged by %s", async (_, words) => {
    const harness = await buildHarness({ manner, rules: onCommand });
    const pull = await approved(harness);
    const said = await says(harness, pull, words);
    expect(harness.look(pull).merged).toBeNull();
    expect(reactionsOn(harness, pull, said)).toEqual([]);
    await says(harness, pull, "@drover merge");
    expect(harness.look(pull).merged).not.toBeNull();
  });

  it.each([
    "@drover merge",
    "@Drover: merge!",
    "@drover merge please",
    "@drover, merge, please.",
    "@drover please merge",
    "@drover merge 🚀",
    "Looks good.\n\n@drover merge\n\nThank you.",
  ])("is merged by %j", async (words) => {
    const harness = await buildHarness({ manner, rules: onCommand });
    const pull = await approved(harness);
    const said = await says(harness, pull, words);
    expect(harness.look(pull).merged).not.toBeNull();
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
  });

  it.each(["disable-reviews 4h", "disable-reviews until tomorrow", "disable-reviews for 4 hours"])(
    "is told the right form of %j, and nothing else is done",
    async (words) => {
      const harness = await buildHarness({ manner, rules: onCommand });
      const pull = await approved(harness);
      const said = await says(harness, pull, `@drover ${words}`);
      expect(reactionsOn(harness, pull, said)).toEqual(["confused"]);
      expect(botWords(harness, pull)).toEqual([expect.stringContaining("The form is")]);
      await harness.push(pull, { "src/lexer.ts": "export const words = 14;\n" });
      await harness.pass(3 * minuteMs);
      expect(gateOf(harness, pull)).toBe("success");
    },
  );
});
