import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inertSpans, livePlaces, liveSlice } from "#core/commands/live-text.ts";

/** The inert parts as text: what the tests speak about. */
function inert(body: string): readonly string[] {
  return inertSpans(body).map((span) => body.slice(span.start, span.end));
}

const nasty = fc
  .array(
    fc.constantFrom(
      ..."`|``|```|~~~|<!--|-->|<!-->|<pre>|</pre>|<code>|</CODE>|>|\n|\r\n|\r|\n\n|    |\t| |\\|- |10. |x|@drover|\u2028".split(
        "|",
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

describe("fences", () => {
  it.each([
    ["closed by the same marks", "a\n```\nb\n```\nc", ["```\nb\n```"]],
    ["with an info string", "```sh x~y\nb\n```\nc", ["```sh x~y\nb\n```"]],
    ["of tildes, whose info string may hold backticks", "~~~ a`b`\nb\n~~~\nc", ["~~~ a`b`\nb\n~~~"]],
    ["closed by more marks, never by fewer or by others", "````\n```\n~~~~\n`````  \nc", ["````\n```\n~~~~\n`````  "]],
    ["not closed by marks with text behind them", "```\n``` b\n```\nc", ["```\n``` b\n```"]],
    ["running to the end when not closed", "```\nb\n\nc", ["```\nb\n\nc"]],
    ["indented by three", "   ```\nb\n   ```\nc", ["```\nb\n   ```"]],
    ["closed at most three columns in", "```\nb\n    ```\nc\n```\nd", ["```\nb\n    ```\nc\n```"]],
    ["with carriage returns", "```\r\nb\r\n```\r\nc", ["```\r\nb\r\n```"]],
    ["with lone carriage returns", "```\rb\r```\rc", ["```\rb\r```"]],
    ["between lines of a paragraph", "a\n```\nb\n```\nc", ["```\nb\n```"]],
    ["over what looks like a comment", "```\n<!--\n```\nc", ["```\n<!--\n```"]],
    ["over quote lines", "```\n> b\n```\nc", ["```\n> b\n```"]],
    [
      "in a list item of four columns",
      "10. a\n\n    ```\n    b\n\n    c\n    ```\nd",
      ["```\n    b\n\n    c\n    ```"],
    ],
    ["behind a bullet", "- ```\n  b\n\n  c\n  ```\nd", ["```\n  b\n\n  c\n  ```"]],
    ["in a nested item", "- a\n  - b\n    ```\n    c\n    ```\nd", ["```\n    c\n    ```"]],
    ["ended by the end of their list item", "- ```\n  b\nc\n`d`", ["```\n  b", "`d`"]],
  ])("are inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each([
    ["four spaces before them", "    ```\nb\n    ```\nc"],
    ["a tab before them", "\t```\nb"],
    ["only two marks", "~~\nb"],
    ["a backtick in the info string", "``` a`\nb"],
    ["code indented behind a bullet", "-      ```\nb"],
    ["an item that is over", "- a\n\nb\n\n    ```\nc"],
  ])("are none with %s", (_name, body) => expect(inert(body)).toEqual([]));
});

describe("code spans", () => {
  it.each([
    ["between equal runs", "a `b` c ``d ` e`` f", ["`b`", "``d ` e``"]],
    ["over a line end", "a `b\nc` d", ["`b\nc`"]],
    ["over an indented line of the same paragraph", "a `b\n      c` d", ["`b\n      c`"]],
    ["a backslash inside means nothing", "`a\\` b", ["`a\\`"]],
    ["an escaped backtick opens nothing, what is left of its run does", "\\``a`", ["`a`"]],
    ["an escaped backslash escapes nothing", "\\\\`a`", ["`a`"]],
    ["first come, first served against comments", "`<!--` a `-->`", ["`<!--`", "`-->`"]],
  ])("are inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each([
    ["a blank line", "`a\n\nb`"],
    ["a blank line with spaces", "`a\r\n \t\r\nb`"],
    ["a list item", "`a\n- b`"],
    ["the end of indented code", "    `a\nb`"],
    ["runs of another length", "`a `` b"],
    ["an escape", "\\`a\\`"],
  ])("do not reach over %s", (_name, body) => expect(inert(body)).toEqual([]));

  it("do not reach over a quote or a fence", () => {
    expect(inert("`a\n> b\nc`")).toEqual(["> b"]);
    expect(inert("`a\n~~~\nb\n~~~\nc`")).toEqual(["~~~\nb\n~~~"]);
  });

  it("pair up as in a slow search by hand", () => {
    const line = fc.array(fc.constantFrom("`", "a"), { maxLength: 14 }).map((marks) => `b${marks.join("")}`);
    fc.assert(
      fc.property(line, (body) => {
        expect(inert(body)).toEqual(codeSpansByHand(body));
      }),
    );
  });
});

/** Every run, in order, looks at every later run. */
function codeSpansByHand(body: string): readonly string[] {
  const runs = [...body.matchAll(/`+/g)];
  const spans: string[] = [];
  let from = 0;
  for (const run of runs) {
    if (run.index < from) continue;
    const close = runs.find((other) => other.index > run.index && other[0].length === run[0].length);
    if (close === undefined) continue;
    from = close.index + close[0].length;
    spans.push(body.slice(run.index, from));
  }
  return spans;
}

describe("comments, elements and quotes", () => {
  it.each([
    ["a comment over lines, blank ones too", "a <!-- b\n\nc --> d", ["<!-- b\n\nc -->"]],
    ["a comment without end", "a <!-- b\n\nc", ["<!-- b\n\nc"]],
    ["the shortest comments", "<!--> a <!---> b", ["<!-->", "<!--->"]],
    ["a comment over a fence, which is none", "<!--\n```\n-->\na\n`b`", ["<!--\n```\n-->", "`b`"]],
    ["text behind a comment is live again", "<!--\n\n--> a `b` c", ["<!--\n\n-->", "`b`"]],
    ["a comment over quote lines", "<!--\n> a -->\nb", ["<!--\n> a -->"]],
    ["a closed element, in any case", 'a <PRE class="x">b\n\nc</pre > d', ['<PRE class="x">b\n\nc</pre >']],
    ["a closed code element", "<code>a</code> <code\n>b</code>", ["<code>a</code>", "<code\n>b</code>"]],
    ["quote lines, whole, however deep", "> a\n   > b\n      > c\nd", ["> a", "> b", "> c"]],
    ["a quote in a list", "- > a\nb", ["> a"]],
    ["nothing that a quote line opens", "> ```\n> <!--\na", ["> ```", "> <!--"]],
    ["a quote line ends with its carriage return", "> a\rb\r\n> c\r\nd", ["> a", "> c"]],
  ])("are inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each(["\\<!-- a -->", "<!- a -->", "<pre>a", "<code a", "<prefix>a</prefix>", "a > b", "< !-- a -->"])(
    "takes %j for live text",
    (body) => expect(inert(body)).toEqual([]),
  );

  it("takes U+2028 for a blank and not for the end of a line, as forges do", () => {
    expect(inert("> a\u2028b")).toEqual(["> a\u2028b"]);
    expect(inert("a\u2028> b")).toEqual([]);
  });
});

describe("the scan", () => {
  it("gives spans in order, without overlap, within the text", () => {
    fc.assert(
      fc.property(nasty, (body) => {
        let from = 0;
        for (const span of inertSpans(body)) {
          expect(span.start).toBeGreaterThanOrEqual(from);
          expect(span.end).toBeGreaterThan(span.start);
          from = span.end;
        }
        expect(from).toBeLessThanOrEqual(body.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("sees the same spans in a text with other line ends", () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom("\r\n", "\r"), (body, ending) => {
        const plain = body.replaceAll(/\r\n?/g, "\n");
        const expected = inert(plain).map((part) => part.replaceAll("\n", ending));
        expect(inert(plain.replaceAll("\n", ending))).toEqual(expected);
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
  ])("comes to the end of a megabyte of %j", (part) => {
    const body = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(inertSpans(body).every((span) => span.end <= body.length)).toBe(true);
  });
});

describe("places and slices", () => {
  it("keeps the places that start in live text", () => {
    const places = [0, 2, 4, 6, 8].map((start) => ({ start, end: start + 1 }));
    const spans = inertSpans("ab`cd`ef<!-- -->");
    expect(livePlaces(places, spans).map((place) => place.start)).toEqual([0, 6]);
  });

  it("puts a blank where something inert was", () => {
    const body = "`x` a `b` c <!-- d";
    const spans = inertSpans(body);
    expect(liveSlice(body, { start: 0, end: body.length }, spans)).toBe("  a   c  ");
    expect(liveSlice(body, { start: 4, end: 8 }, spans)).toBe("a  ");
  });
});
