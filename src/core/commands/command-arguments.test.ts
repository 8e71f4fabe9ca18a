import { describe, expect, it } from "vitest";
import { commandDurationMaxMs, uptoUsdMax } from "#core/commands/command-arguments.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { Untrusted } from "#core/model/ids.ts";
import { dayMs, hourMs, minuteMs } from "#core/model/instant.ts";

function read(body: string) {
  return readBotMessage(Untrusted.parse(body), "@drover");
}

describe("arguments of disable-reviews", () => {
  it.each([
    ["", null],
    [" please", null],
    [" for 90m", 90 * minuteMs],
    [" FOR 4H", 4 * hourMs],
    [", for 2d, please!", 2 * dayMs],
    [" for 365d.", commandDurationMaxMs],
    [" <!-- for 2d -->", null],
  ])("reads %j", (tail, forMs) => {
    expect(read(`@drover disable-reviews${tail}`).command).toEqual({
      kind: "command",
      word: "disable-reviews",
      forMs,
    });
  });

  it.each([
    " for",
    " for `2d`",
    " for banana",
    " for 0m",
    " for 1.5h",
    " for -1h",
    " for 2 d",
    " for 366d",
    ` for ${"9".repeat(400)}d`,
    " for \u0661h",
    " 4h",
    " 4",
    " until tomorrow",
    " for 4 hours",
    " for a while",
    " till Monday.",
    " for 4h until Monday",
    " 2 days, please",
  ])("tells what is wrong with %j", (tail) => {
    expect(read(`@drover disable-reviews${tail}`).command).toEqual({
      kind: "malformed",
      word: "disable-reviews",
      problem: expect.stringMatching(/^A|The .*\.$/),
    });
  });
});

describe("arguments of fix", () => {
  it.each([
    ["", null, null],
    [" please", null, null],
    [" upto:$5 20m please", 5_000_000, 20 * minuteMs],
    [" upto:$5 20m", 5_000_000, 20 * minuteMs],
    [" 20m, upto:$0.5.", 500_000, 20 * minuteMs],
    [" UPTO:$1.05", 1_050_000, null],
    [` upto:$${uptoUsdMax}`, uptoUsdMax * 1_000_000, null],
  ])("reads %j", (tail, uptoMicroUsd, limitMs) => {
    expect(read(`@drover fix${tail}`).command).toEqual({ kind: "command", word: "fix", uptoMicroUsd, limitMs });
  });

  it.each([
    " upto:$-1",
    " upto:$0",
    " upto:5",
    " upto:",
    " upto $5",
    " upto:$5,000",
    " upto:$1.234",
    " upto:$10001",
    " upto:$1e3",
    " upto:$5 upto:$6",
    " 0m",
    " 400d",
    " 20m 30m",
    " $5",
    " 5",
    " 5$",
    " upto 5",
    " up to $5",
    " 20 min",
    " for 20m",
    " 20minutes",
    " 5 dollars",
    " 20m the parser",
    " the test that takes 20m, upto:$2",
  ])("tells what is wrong with %j", (tail) => {
    expect(read(`@drover fix${tail}`).command).toMatchObject({ kind: "malformed", word: "fix" });
  });
});
