import { describe, expect, it } from "vitest";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { Untrusted } from "#core/model/ids.ts";

function readAll(body: string) {
  return readBotMessage(Untrusted.parse(body), "@drover");
}

describe("near misses", () => {
  it.each([
    ["- @drover review", "review"],
    ["* [ ] @drover review", "review"],
    ["1. @drover: review!", "review"],
    ["## @drover review", "review"],
    ["**@drover review**", "review"],
    ["*@drover review.*", "review"],
    ["**@drover** review", "review"],
    ["@drover **merge**", "merge"],
    ["@drover `review`", "review"],
    ["@drover[bot] review", "review"],
    ["@drover[bot]: please merge", "merge"],
    ["@drover:review", "review"],
    ["@drover hlep", "help"],
    ["@drover reveiw", "review"],
    ["@drover Reviews.", "review"],
    ["@drover mrge please", "merge"],
    ["@drover fx", "fix"],
    ["@drover disable reviews", "disable-reviews"],
    ["@drover stop fixing, please", "stop-fixing"],
    ["@drover disable reviews for 4h", "disable-reviews"],
    ["- @drover disable-reviews for 4h", "disable-reviews"],
    ["Hello.\n\n- @drover reveiw\n- @drover hlep", "review"],
  ])("are told from prose: %j", (body, word) => {
    expect(readAll(body)).toMatchObject({ command: null, prose: body, nearMiss: { word } });
  });

  it.each([
    "@drover merge conflicts",
    "@drover hlep me",
    "@drover hlep?",
    "@drover hello",
    "@drover thanks",
    "@drover hi",
    "@drover no",
    "@drover",
    "@drover please",
    "Say @drover review",
    "- Say @drover review",
    "| @drover review |",
    "<p>@drover review</p>",
    "\\@drover review",
    "@drover merging",
    "- @drover disable-reviews is odd",
    "- @drover reveiw\n\nAnd @drover, what is this?",
    `- ${"- ".repeat(20)}@drover review`,
  ])("are none in %j", (body) => {
    expect(readAll(body)).toMatchObject({ command: null, nearMiss: null });
  });

  it("beside a command are prose", () => {
    expect(readAll("@drover merge\n- @drover review")).toMatchObject({
      command: { word: "merge" },
      prose: "- @drover review",
      nearMiss: null,
    });
  });
});
