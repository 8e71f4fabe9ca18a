import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandDurationMaxMs, uptoUsdMax } from "#core/commands/command-arguments.ts";
import { readAddress } from "#core/commands/read-address.ts";
import { Untrusted } from "#core/model/ids.ts";
import { dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import { commandWords } from "#core/model/records.ts";

function read(body: string, handle = "@drover") {
  return readAddress(Untrusted.parse(body), handle);
}

describe("command lines", () => {
  it.each(commandWords)("knows %s", (word) => {
    expect(read(`@drover ${word}`)).toMatchObject({ command: { kind: "command", word }, prose: null });
  });

  it.each([
    "@drover review",
    "  @drover\treview  ",
    "@DROVER Review",
    "@drover: review",
    "@drover, review please",
    "@drover review.",
    "@drover review!!! (now)",
    "@drover\u00A0review",
    "\uFEFF@drover review",
    "hello\n\n@drover review\nthanks",
    "hello\r\n@drover review\r\nthanks",
    "hello\r@drover review\rthanks",
    "> @drover merge\n\n@drover review",
    "> ```\n> @drover merge\n> ```\n@drover review",
    "> @drover merge\n---\n@drover review",
    "hello  \n@drover review",
    "hello\\\n@drover review",
    "@drover review\n===",
    "a | b\n--|--\n@drover review",
    "[\n@drover review\n](/u)",
    "<details>\n@drover review\n</details>",
    "</details>\n@drover review",
    "<!-- a\n\nb -->\n@drover review",
    "[a]: /u\n@drover review",
    "a <b>\n@drover review",
    "```\n@drover merge\n```\n@drover review",
    "`a` b\n@drover review `now`",
    "    @drover review",
  ])("finds the command in %j", (body) => {
    expect(read(body)).toEqual({ command: { kind: "command", word: "review" }, prose: null });
  });

  it("counts the first of several, and takes none of them for prose", () => {
    expect(read("@drover hold\n@drover merge @drover")).toEqual({
      command: { kind: "command", word: "hold" },
      prose: null,
    });
  });

  it.each([
    ["somebody else by a hyphen", "@drover-x review"],
    ["somebody else by more hyphens", "@drover--x review"],
    ["somebody else by an underscore", "@drover_x review"],
    ["somebody else by a dot", "@drover.x review"],
    ["a team", "@drover/x review"],
    ["somebody on another host", "@drover@example.org review"],
    ["a Cyrillic letter behind", "@drover\u0435 review"],
    ["a Cyrillic letter within", "@dr\u043Ever review"],
    ["a combining mark", "@drover\u0301 review"],
    ["a letter behind something invisible", "@drover\u200Dx review"],
    ["a letter beyond the first plane", "@drover\u{1D5EB} review"],
    ["a neutralised handle", "@\u200Bdrover review"],
    ["a full-width sign", "\uFF20drover review"],
    ["an address", "mail@drover review"],
    ["an address beyond the first plane", "\u{1D5EB}@drover review"],
    ["the rest of somebody else", "@x@drover review"],
    ["a fence", "```\n@drover review\n```"],
    ["a fence that never closes", "~~~\n@drover review"],
    ["inline code", "`@drover review`"],
    ["inline code over lines", "`a\n@drover review\nb`"],
    ["an HTML comment", "<!--\n@drover review\n-->"],
    ["an element", "<pre>\n@drover review\n</pre>"],
    ["a quote", "> @drover review"],
    ["a line that U+2028 seems to break", "> a\u2028@drover review"],
    ["a fence in a numbered list", "10. a\n    ```\n    @drover merge\n\n    b\n    ```"],
    ["a quote without its mark", "> a\n@drover review"],
    ["a list in a quote, without the mark", "> - a\n@drover review"],
    ["a quote in a quote, without the marks", "> > a\n  @drover review"],
    ["a tag over lines", '<a title="\n@drover review\n">'],
    ["a tag over the lines of a block", "<div title='\n@drover review\n'>"],
    ["an instruction", "<?\n@drover review\n?>"],
    ["a declaration", "<!X\n@drover review\n>"],
    ["CDATA", "<![CDATA[\n@drover review\n]]>"],
    ["a style sheet", "<style>\n@drover review\n</style>"],
    ["a script that never ends", "a <script>\n\n@drover review"],
    ["the title of a definition", "[a]: /u '\n@drover review\n'"],
    ["the title of a link", "[a](/u '\n@drover review\n')"],
    ["the text of an image", "![\n@drover review\n](/u)"],
    ["an entity", "&#64;drover review"],
    ["a soft hyphen within", "@dro\u00ADver review"],
    ["nothing of width behind the sign", "@\u2060drover review"],
    ["nothing at all", ""],
  ])("says nothing to the bot: %s", (_name, body) => expect(read(body)).toEqual({ command: null, prose: null }));

  it("matches ASCII case only", () => {
    expect(read("@\u212Aim review", "@kim").command).toBeNull();
    expect(read("@K\u0131m review", "@kim").command).toBeNull();
    expect(read("@ki\u017F review", "@kis").command).toBeNull();
    expect(read("@KIM review", "@kim").command).not.toBeNull();
    expect(read("@drover mer\u0261e").command).toBeNull();
  });

  it("takes the handle literally, whatever it holds", () => {
    expect(read("@a.b-c review", "@a.b-c").command).not.toBeNull();
    expect(read("@axb-c review", "@a.b-c").command).toBeNull();
    expect(read("@drover review", "@DROVER").command).not.toBeNull();
  });
});

describe("prose", () => {
  it.each([
    "@drover why is this slow?",
    "Thanks @drover.",
    "(@drover)",
    "@drover",
    "@drover...what now?",
    "@drover/@alice what now?",
    "@drover:review",
    "@drover reviews",
    "@drover review-all",
    "@drover review.md says what?",
    "@drover\nreview",
    "please, @drover review",
    "<!-- a --> @drover review",
    "--> @drover review",
    "- @drover review",
    "\\@drover review",
    "# @drover review",
    "1. @drover review",
    "| @drover review | b |\n| --- | --- |",
    "[@drover review](/u)",
    "[^1]: @drover review",
    "**@drover review**",
    "<p>@drover review</p>",
    "@drover `review`",
    "a\u2028@drover review",
  ])("is what %j holds", (body) => expect(read(body)).toEqual({ command: null, prose: body }));

  it("is kept beside a command, without the command lines", () => {
    expect(read("@drover merge\r\nAnd @drover, why?\r\n  @drover fix\r\n> x")).toEqual({
      command: { kind: "command", word: "merge" },
      prose: "And @drover, why?\r\n> x",
    });
  });
});

describe("arguments of disable-reviews", () => {
  it.each([
    ["", null],
    [" please", null],
    [" for 90m", 90 * minuteMs],
    [" FOR 4H", 4 * hourMs],
    [", for 2d, thanks", 2 * dayMs],
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
    [" the login, please", null, null],
    [" upto:$5 20m", 5_000_000, 20 * minuteMs],
    [" 20m, upto:$0.5.", 500_000, 20 * minuteMs],
    [" UPTO:$1.05", 1_050_000, null],
    [` upto:$${uptoUsdMax}`, uptoUsdMax * 1_000_000, null],
    [" the test that takes 20m, upto:$2", 2_000_000, null],
    [" 3 bugs", null, null],
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
  ])("tells what is wrong with %j", (tail) => {
    expect(read(`@drover fix${tail}`).command).toMatchObject({ kind: "malformed", word: "fix" });
  });
});

describe("any text", () => {
  it("never makes it throw, and prose is never invented", () => {
    const parts = fc.constantFrom(
      "@drover",
      "@drover merge",
      "\n",
      " ",
      "`",
      "```\n",
      "> ",
      "<!--",
      "for",
      "4h",
      "\u200B",
    );
    const body = fc.array(fc.oneof(parts, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 20 });
    fc.assert(
      fc.property(body, (words) => {
        const text = words.join("");
        const { command, prose } = read(text);
        expect(text.includes("@drover") || (command === null && prose === null)).toBe(true);
        expect(text.length).toBeGreaterThanOrEqual(prose?.length ?? 0);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "@drover ",
    "@drover merge\n",
    "@drover-",
    "@",
    "@drover fix upto:$5....",
    "@drover disable-reviews for ....",
    ".",
  ])("comes to the end of a megabyte of %j", (part) => {
    const body = `@drover fix ${part.repeat(Math.ceil(1_000_000 / part.length))}x`;
    expect(read(body).command).toMatchObject({ word: "fix" });
  });
});
