import * as fc from "fast-check";
import MarkdownIt, { type Token } from "markdown-it";
import { describe, expect, it } from "vitest";
import { liveText } from "#core/markdown/live-text.ts";

const nasty = fc
  .array(
    fc.constantFrom(
      ..."`|``|```|~~~|<!--|-->|<!-->|<pre>|</pre>|<code>|</CODE>|>|\n|\r\n|\r|\n\n|    |\t| |\\|- |10. |x|@drover|\u2028".split(
        "|",
      ),
      ...'<a b="|">|<div|<script>|</script>|<template>|<?|?>|<!A|<![CDATA[|]]>|[a]: /u|[a]|[|](/u |\'|)|![|---|===|# |> |~|~~|$|$$|\\[|\\]|<del>|</del>'.split(
        "|",
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

/** A command on a line of its own, and nothing else that names the handle, between two nasty texts. */
const around = fc
  .tuple(nasty, nasty)
  .map((texts) => texts.map((text) => text.replaceAll("@drover", "x")).join("\n@drover merge\n"));

/**
 * Whether the handle is on the page in plain sight, as markdown-it itself reads the whole text. It strikes out between
 * three tildes, where forges do not.
 */
function isOnPage(body: string): boolean {
  const markdown = new MarkdownIt("commonmark");
  const tokens = (body.includes("~~~") ? markdown : markdown.enable("strikethrough")).parse(body, {});
  return [...outsideOf("blockquote", tokens)].some(({ type, content, children }) =>
    type === "html_block"
      ? content.includes("@drover")
      : [...outsideOf("s", children ?? [])].some((child) => child.type === "text" && child.content.includes("@drover")),
  );
}

function* outsideOf(element: string, tokens: readonly Token[]): Generator<Token> {
  let depth = 0;
  for (const token of tokens) {
    if (token.type === `${element}_open` || token.type === `${element}_close`) depth += token.nesting;
    if (depth === 0) yield token;
  }
}

/** Long enough for anything quadratic to run into the time limit of a test. */
const rowCharacters = 300_000;

describe("any text", () => {
  it("keeps the length of a text, its line ends, and every character that it shows", () => {
    fc.assert(
      fc.property(nasty, (body) => {
        const text = liveText(body);
        expect(text).toHaveLength(body.length);
        expect(text.replaceAll(/[^\r\n]/g, "")).toBe(body.replaceAll(/[^\r\n]/g, ""));
        const invented = Array.from({ length: body.length }, (_, at) => at).filter(
          (at) => /[\w@]/.test(text.charAt(at)) && text.charAt(at) !== body.charAt(at),
        );
        expect(invented).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("shows nothing that a page does not", () => {
    let live = 0;
    fc.assert(
      fc.property(around, (body) => {
        if (!liveText(body).includes("@")) return;
        live++;
        expect(isOnPage(body)).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(live).toBeGreaterThan(100);
  });

  it("shows nothing of what is quoted, fenced, indented or commented out as a whole", () => {
    const wraps: readonly ((body: string) => string)[] = [
      (body) => body.replaceAll(/^/gm, "> "),
      (body) => `\`\`\`\`\`\`\n${body.replaceAll("`", "")}\n\`\`\`\`\`\``,
      (body) => `~~~~~~\n${body.replaceAll("~", "")}`,
      (body) => body.replaceAll(/^/gm, "    "),
      (body) => `<!--\n${body.replaceAll("-->", "")}\n-->`,
      (body) => `<pre>\n${body.replaceAll(/[<>]/g, "")}\n</pre>`,
      (body) => `<del>\n\n${body.replaceAll(/[<>]/g, "")}`,
      (body) => `<template>${body}`,
    ];
    fc.assert(
      fc.property(around, fc.constantFrom(...wraps), (body, wrap) => {
        const plain = body.replaceAll(/[\r\u2028]/g, "");
        expect(liveText(wrap(plain))).not.toContain("@");
      }),
      { numRuns: 2000 },
    );
  });

  it("shows the same of a text with other line ends", () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom("\r\n", "\r"), (body, ending) => {
        const plain = body.replaceAll(/\r\n?/g, "\n");
        expect(liveText(plain.replaceAll("\n", ending))).toBe(liveText(plain).replaceAll("\n", ending));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    "`",
    "` ",
    "`a``b",
    "\\`",
    "```\n",
    "``` `\n",
    "~~~\n",
    "<!--",
    "<!-- -->\n\n",
    "<pre ",
    "<pre>",
    "<code></pre ",
    "</pre",
    ">",
    "> \n",
    "- ",
    "- \n",
    "1. ```\n",
    "a\n\n",
    "\r",
    "\t",
    "<a b='",
    "<a b=c ",
    "<?",
    "<!A",
    "<![CDATA[",
    "<script>",
    "<div a='\n",
    "<div>\n",
    "> x\ny\n",
    "> <script>\n",
    "<xmp>\n\n",
    "- <div a\n",
    "- > ",
    "* * *x",
    "-\n\n",
    "[",
    "[](",
    "[a](b '",
    "[a][",
    "[a]: b\n===\n",
    "[a]: b '\n",
    "    `\n",
    "~",
    "~a ",
    "~~a\n",
    "~~a\n\n",
    "$",
    "$$\n\n",
    "$a$",
    "$$a\n\n$$$",
    "\\[\n",
    "<del>",
    "<s>\n\n",
    "</del",
  ])("comes to the end of a long row of %j", (part) => {
    const body = part.repeat(Math.ceil(rowCharacters / part.length));
    expect(liveText(body)).toHaveLength(body.length);
  });

  it("comes to the end of long rows of any two marks", () => {
    const mark = fc.constantFrom(..."` ~ $ \\ < > ! [ ] ( ) # - + * _ = | : & a 1. ' \" @ / ? \n \t".split(" "), " ");
    fc.assert(
      fc.property(mark, mark, (one, other) => {
        const body = `${one}${other}`.repeat(32_768);
        expect(liveText(body)).toHaveLength(body.length);
      }),
      { numRuns: 60 },
    );
  });

  it("comes to the end of blank lines under a list of many levels", () => {
    const body = `${"- ".repeat(rowCharacters)}x${"\n".repeat(rowCharacters)}${"> ".repeat(rowCharacters)}`;
    expect(liveText(body)).not.toContain("x");
  });
});
