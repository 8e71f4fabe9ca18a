import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { Untrusted } from "#core/model/ids.ts";
import { commandWords } from "#core/model/records.ts";

function readAll(body: string, handle = "@drover") {
  return readBotMessage(Untrusted.parse(body), handle);
}

function read(body: string, handle = "@drover") {
  const { command, prose } = readAll(body, handle);
  return { command, prose };
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
    "@drover review!!!",
    "@drover review :)",
    "@drover review…",
    "@drover review, please!",
    "@drover please review",
    "@drover: please, review.",
    "@drover, PLEASE review please",
    "@drover review \u{1F64F}\u{1F3FD}",
    "@drover review please\u{1F680}\u{1F680}",
    "@drover review \u2764\uFE0F",
    "@drover review <!-- because -->",
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
    "`a` b\n@drover review",
    "   @drover review",
    "a\n    @drover review",
    "- a\n\n  @drover review",
    "a ~5 minutes\n@drover review\nb ~10 lines",
    "a costs $5\n@drover review\nb costs $10",
    "US$5\n@drover review\n$10 b",
    "~~a~~\n\n@drover review\n\n~~b~~",
    "a ~~~b\n@drover review\nc~~~",
    "$$a$$\n@drover review",
    "a $$\n\n@drover review\n\n$$ b",
    "$$\na\n$$\n\n@drover review",
    "![a](/u)\n@drover review",
    "[![a](/u)](/v)\n@drover review",
    "[a](https://b.example/c_(d) 'e')\n@drover review",
    "- [ ] a\n- [x] b\n\n@drover review",
    "- a\n  - b\n    - c\n  - d\n@drover review",
    "1. a\n   ```\n   b\n   ```\n2. c\n\n@drover review",
    "List<String> a[0](b) <br> c & d\n@drover review",
    '<img src="a" width="1">\n\n@drover review',
    "\\~\\~a\n@drover review\nb\\~\\~",
    "\\[a]\n@drover review\n\\[b]",
    "<del>a</del>\n@drover review",
    "<kbd>a</kbd>\n@drover review",
  ])("finds the command in %j", (body) => {
    expect(read(body)).toEqual({ command: { kind: "command", word: "review" }, prose: null });
  });

  it("counts the first of several, and takes none of them for prose", () => {
    expect(read("@drover hold\n@drover merge")).toEqual({
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
    ["indented code", "    @drover review"],
    ["indented code behind a paragraph", "a\n\n    @drover review"],
    ["code that a tab indents", "a\n\n\t@drover review"],
    ["code in a list item", "- a\n\n      @drover review"],
    ["code behind a bullet", "-     @drover review"],
    ["struck lines", "~~a\n@drover review\nb~~"],
    ["struck lines, the marks apart", "~~\n@drover review\n~~"],
    ["struck lines with single marks", "~a\n@drover review\nb~"],
    ["a line between struck parts", "~~a~~\n@drover review\n~~b~~"],
    ["a display that may end or begin", "a $$b\n@drover review\n$$c"],
    ["a line between displays", "$$a$$\n@drover review\n$$b$$"],
    ["a struck command", "~~@drover review~~"],
    ["a struck item", "- ~~@drover review~~"],
    ["display math", "$$\n@drover review\n$$"],
    ["display math over a blank line", "a\n\n$$\nb\n\n@drover review\n\nc\n$$"],
    ["display math within text", "a $$b\n@drover review\nc$$ d"],
    ["inline math", "a $b\n@drover review\nc$ d"],
    ["inline math in code", "a $`b\n@drover review\nc`$ d"],
    ["math in brackets", "\\[\n@drover review\n\\]"],
    ["math in parentheses", "\\(\n@drover review\n\\)"],
    ["a deleted part", "<del>\n@drover review\n</del>"],
    ["a deleted part over blank lines", "<del>\n\n@drover review\n\n</del>"],
    ["a deleted part that never ends", "<del>a\n\n@drover review"],
    ["a struck part", "<s>\n@drover review\n</s>"],
    ["a struck part of old", "<STRIKE>\n@drover review\n</strike>"],
    ["keys", "<kbd>\n@drover review\n</kbd>"],
    ["keys that never end", "<kbd>a\n@drover review"],
    ["a line behind a display over paragraphs", "$$\na\n\nb\n$$\n\n@drover review\n\n$$ c $$"],
    ["a definition in a quote", "> [a]: /u\n@drover review"],
    ["a list in quotes, without the marks", "> > a\n      - b\n@drover review"],
    ["a quote whose mark is indented", "> a\n\t> >\n@drover review"],
    ["a script in a paragraph, without its indentation", "   + a\n    <script>\n@drover review"],
    ["a title up to what looks like a list", "[a]: /u '\n@drover review\n2. '"],
    ["a definition that no list ends", "[a]: /u\n2. ```\n   b\n   ```\n@drover review"],
    ["what is struck from the second mark on", "~~\na ~~b\n@drover review\nc~~"],
    ["a deleted part whose end fits nothing", "<del><div></del>\n@drover review"],
    ["a footnote's quote", "[^1]: > a\n@drover review"],
    ["a link to anywhere", "[a]: javascript:b '\n@drover review\n'"],
    ["a very deep quote", `${"> ".repeat(200)}a\n\n@drover review`],
    ["sample output", "<samp>\n@drover review\n</samp>"],
    ["a variable", "<var>\n@drover review\n</var>"],
    ["teletype", "<tt>\n@drover review\n</tt>"],
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
    "@drover merge conflicts are my main worry here, please do not land this before Monday.",
    "@drover merge? No, wait for the release.",
    "@drover merge?",
    "@drover merge please?",
    "@drover merge\uFF1F",
    "@drover merge \u2753",
    "@drover merge not",
    "@drover merge, not",
    "@drover merge (now)",
    "@drover merge, thanks",
    "@drover merge's",
    "@drover merge - later",
    "@drover merge `now`",
    "@drover merge ~~now~~",
    "@drover merge <b>now</b>",
    "@drover merge [now](/u)",
    "@drover merge \u{1F44E}",
    "@drover merge \u274C",
    "@drover merge \u{1F914}",
    "@drover merge \u200B",
    "@drover merge @drover merge",
    "@drover merge 2d",
    "@drover please, please merge",
    "@drover please do not merge",
    "@drover pleasemerge",
    "@drover fix the login, please",
    "@drover fix 3 bugs",
    "@drover fix what broke 20m ago in the parser",
    "@drover disable-reviews is a strange word",
    "@drover disable-reviews for everybody who opens a pull today",
  ])("is what %j holds", (body) => expect(read(body)).toEqual({ command: null, prose: body }));

  it("is kept beside a command, without the command lines", () => {
    expect(read("@drover merge\r\nAnd @drover, why?\r\n  @drover fix\r\n> x")).toEqual({
      command: { kind: "command", word: "merge" },
      prose: "And @drover, why?\r\n> x",
    });
  });
});

describe("a command word at the start of a line", () => {
  it.each(["@drover hold", "@drover hold, for Monday is a holiday.", "@drover hold?"])("is named in %j", (body) => {
    expect(readAll(body).namesCommand).toBe(true);
  });

  it.each(["@drover", "Say @drover hold", "`@drover hold`", "@drover hlod"])("is not named in %j", (body) => {
    expect(readAll(body).namesCommand).toBe(false);
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

  it("that goes on behind a command word is no command", () => {
    const word = fc.constantFrom(...commandWords);
    const sentence = fc
      .array(fc.stringMatching(/^[a-z][a-z'-]{0,11}$/), { minLength: 1, maxLength: 8 })
      .filter((words) => words.some((one) => one !== "please"));
    const manners = fc.constantFrom("@drover ", "@drover: ", "@Drover, ", "  @drover please ");
    const ending = fc.constantFrom("", ".", "!", " please", "\n\nThank you.");
    fc.assert(
      fc.property(manners, word, sentence, ending, (before, said, words, behind) => {
        const { command } = read(`${before}${said} ${words.join(" ")}${behind}`);
        expect(command?.kind).not.toBe("command");
        expect(command === null || ["fix", "disable-reviews"].includes(command.word)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("with a question mark in its line is no command", () => {
    const word = fc.constantFrom(...commandWords);
    const around = fc.constantFrom("", " ", " please", "!", " for 4h", " upto:$5");
    fc.assert(
      fc.property(word, around, around, (said, before, behind) => {
        expect(read(`@drover ${said}${before}?${behind}`).command).toBeNull();
      }),
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
    "\u{1F680}",
    "`a` @drover merge `b`\n",
    "- @drover reveiw\n",
    "~~a ",
    "$$\n\n",
  ])("comes to the end of a megabyte of %j", (part) => {
    const body = `@drover fix ${part.repeat(Math.ceil(1_000_000 / part.length))}x`;
    const { command } = read(body);
    expect(command?.kind === "command" && command.word === "fix").toBe(false);
  });
});
