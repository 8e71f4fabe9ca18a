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
      ...'<a b="|">|<div|<script>|</script>|<template>|<?|?>|<!A|<![CDATA[|]]>|[a]: /u|[a]|[|](/u |\'|)|![|---|===|# |> |~|~~|$|$$|\\[|\\]|<del>|</del>'.split(
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
    ["only two marks", "~~\nb"],
    ["a backtick in the info string", "``` a`\nb"],
  ])("are none with %s", (_name, body) => expect(inert(body)).toEqual([]));

  it.each([
    ["four spaces before them", "    ```\nb\n    ```\nc"],
    ["a tab before them", "\t```\nb"],
    ["code indented behind a bullet", "-      ```\nb"],
    ["an item that is over", "- a\n\nb\n\n    ```\nc"],
  ])("are indented code with %s, and end with their line", (_name, body) => expect(inert(body)).toEqual(["```"]));
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
    ["runs of another length", "`a `` b"],
    ["an escape", "\\`a\\`"],
  ])("do not reach over %s", (_name, body) => expect(inert(body)).toEqual([]));

  it("do not reach over a quote or a fence", () => {
    expect(inert("`a\n> b\n\nc`")).toEqual(["> b"]);
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
    ["a closed code element", "<code>a</code> <code\nid>b</code>", ["<code>a</code>", "<code\nid>b</code>"]],
    ["quote lines, whole, however deep", "> a\n   > b\n      > c\n\nd", ["> a", "> b", "> c"]],
    ["a quote in a list", "- > a\n\nb", ["> a"]],
    ["nothing that a quote line opens", "> ```\n> <!--\na", ["> ```", "> <!--"]],
    ["a quote line ends with its carriage return", "> a\r\rb\r\n> c\r\n\r\nd", ["> a", "> c"]],
    ["a quote in HTML", "a <blockquote>b</blockquote> c", ["<blockquote>b</blockquote>"]],
  ])("are inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each(["\\<!-- a -->", "<!- a -->", "a <pre>b", "<code a", "<prefix>a</prefix>", "a > b", "< !-- a -->"])(
    "takes %j for live text",
    (body) => expect(inert(body)).toEqual([]),
  );

  it("takes U+2028 for a blank and not for the end of a line, as forges do", () => {
    expect(inert("> a\u2028b")).toEqual(["> a\u2028b"]);
    expect(inert("a\u2028> b")).toEqual([]);
  });
});

describe("lines without a mark that go on with a quote", () => {
  it.each([
    ["a paragraph", "> a\nb\n  c", ["> a", "b", "c"]],
    ["a deeper one", "> > a\n> b\nc", ["> > a", "> b", "c"]],
    ["a list in it", "> - a\nb", ["> - a", "b"]],
    ["a quote in a list", "- > a\nb", ["> a", "b"]],
    ["a quote in a list, indented", "1. > a\n   b", ["> a", "b"]],
    ["however far indented", "> a\n        b", ["> a", "b"]],
    ["what is no underline there", "> a\n===\nb", ["> a", "===", "b"]],
    ["what looks like a definition", "> a\n[b]: /u\nc", ["> a", "[b]: /u", "c"]],
    ["a lone tag, which ends no paragraph", "> a\n<b>\nc", ["> a", "<b>", "c"]],
  ])("are inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each([
    ["a blank line", "> a\n\nb", ["> a"]],
    ["an empty line of the quote", "> a\n>\nb", ["> a", ">"]],
    ["a list item", "> a\n- b\nc", ["> a"]],
    ["a number that starts no list within a paragraph", "> a\n2. b\nc", ["> a"]],
    ["a heading", "> a\n# b\nc", ["> a"]],
    ["a rule", "> a\n---\nb", ["> a"]],
    ["a fence", "> a\n~~~\nb\n~~~\nc", ["> a", "~~~\nb\n~~~"]],
    ["HTML", "> a\n<div>\nb", ["> a"]],
    ["the end of code in the quote", "> ```\nb", ["> ```"]],
    ["a heading in the quote", "> # a\nb", ["> # a"]],
  ])("end with %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));
});

describe("HTML", () => {
  it.each([
    ["an open tag over lines", 'a <a title="\nb\n">c</a>', ['<a title="\nb\n">']],
    ["one that begins the paragraph", '<a title="\nb\n">', ['<a title="\nb\n">']],
    ["an instruction", "a <? b\nc ?> d", ["<? b\nc ?>"]],
    ["a declaration", "a <!X b\nc > d", ["<!X b\nc >"]],
    ["CDATA", "a <![CDATA[ b\nc ]]> d", ["<![CDATA[ b\nc ]]>"]],
    ["a block that is an instruction, over blank lines", "<? a\n\nb ?>\nc", ["<? a\n\nb ?>"]],
    ["a block that is a declaration", "<!X a\n\nb >\nc", ["<!X a\n\nb >"]],
    ["a block that is CDATA", "<![CDATA[ a\n\nb ]]>\nc", ["<![CDATA[ a\n\nb ]]>"]],
    ["blocks that never end", "a\n\n<? b\n\nc", ["<? b\n\nc"]],
    ["a tag over the lines of a block", '<div title="\na\n">\nb', ['<div title="\na\n">']],
    ["a tag that its block does not finish", '<div title="\n\na\n\n">\nb', ['<div title="\n\na\n\n">\nb']],
    ["a comment that its list item does not finish", "- <!-- a\n\nb -->", ["<!-- a\n\nb -->"]],
    ["a comment that its quote does not finish", "> <!--\n\na", ["> <!--", "\n\na"]],
    ["code without end", "<pre>\na\n\nb", ["<pre>\na\n\nb"]],
    ["what is in backticks in a block", "<div>\n`a`", ["`a`"]],
  ])("is inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each(["script", "style", "textarea", "title", "template", "iframe", "xmp", "noscript", "object"])(
    "swallows what stands in <%s>, to the end if it is not closed",
    (name) => {
      const closed = `<${name}>\na</${name}>`;
      expect(inert(`${closed}\n\nb`)).toEqual([closed]);
      expect(inert(`a ${closed}\n\nb`)).toEqual([closed]);
      expect(inert(`a <${name}> b\n\nc`)).toEqual([`<${name}> b\n\nc`]);
      expect(inert(`> a <${name}>\n\nc`).join("")).toBe(`> a <${name}>\n\nc`);
    },
  );

  it.each([
    ["a closing tag in code", "a <script>\n\n`</script>`\n\nb", ["<script>\n\n`</script>`\n\nb"]],
    ["a closing tag of another name", "<script>\n</pre>\n\na", ["<script>\n</pre>\n\na"]],
    ["an inner one of its name", "a <template><template></template>\nb", ["<template><template></template>\nb"]],
    ["a script in a comment", "<script><!--<script></script>\n\na", ["<script><!--<script></script>\n\na"]],
    ["what hides behind an instruction", "<? > <style> ?>\n\na", ["<? > <style> ?>", "\n\na"]],
  ])("is not closed by %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each([
    "<div>\na\n</div>",
    "</details>\na",
    "<b>a</b>",
    "a <b\n\nc",
    "a <? b\n\nc ?>",
    "a <!X b\n\nc >",
    'a <a title="b\n\nc">',
    'a <a title="b',
    "a <a b=c=d e>",
    "a <a @b>",
    "\\<b c='d'>",
    "<https://a/b>",
    "a < b > c",
  ])("leaves the text in %j live", (body) => expect(inert(body)).toEqual([]));

  it("does not see a fence in a block, nor a block in a fence", () => {
    expect(inert("<div>\n```\n\na\n```\nb")).toEqual(["```\nb"]);
    expect(inert("```\n<script>\n```\na")).toEqual(["```\n<script>\n```"]);
    expect(inert("a <!-- b\n\n```\n-->\nc\n```")).toEqual(["<!-- b\n\n```\n-->", "\nc\n```"]);
  });

  it.each([
    ["comments that hold two hyphens", "a <!-- ` -- -->\nb\n`"],
    ["declarations in small letters", "<!x\n\n```\n>\nb\n```"],
    ["what a text area holds", "<textarea>\n\n```\n</textarea>\nb\n```"],
    ["the names of blocks", "a\n<search>\n```\n\n```\nb\n```"],
  ])("counts as inert by each edition of CommonMark: %s", (_name, body) => {
    const place = { start: body.indexOf("\nb\n") + 1, end: body.length };
    expect(livePlaces([place], inertSpans(body))).toEqual([]);
  });

  it("takes code, tags and links in the order in which they open", () => {
    expect(inert('`<a b="` c ">`')).toEqual(['`<a b="`']);
    expect(inert('<a b="`">`c`')).toEqual(['<a b="`">', "`c`"]);
    expect(inert("[a](/u '`')`b`")).toEqual(["(/u '`')", "`b`"]);
    expect(inert("<https://a/`>`b`")).toEqual(["`b`"]);
  });
});

describe("links", () => {
  it.each([
    ["a definition", "[a]: /u", ["[a]: /u"]],
    ["a definition with a title over lines", "[a]: /u '\nb\n'\nc", ["[a]: /u '", "b", "'"]],
    ["a definition over lines", "[\na\n]:\n/u\n(b)\nc", ["[", "a", "]:", "/u", "(b)"]],
    ["several", '[a]: /u\n[b]: </v w> "c"\nd', ["[a]: /u", '[b]: </v w> "c"']],
    ["a definition without the title that was none", "[a]: /u\n'b' c", ["[a]: /u"]],
    ["a definition in a list", "- [a]: /u '\n  b'\n\nc", ["[a]: /u '", "b'"]],
    ["the title of a link", "[a](/u '\nb\n') c", ["(/u '\nb\n')"]],
    ["the label of a link", "[a][\nb\n] c\n\n[B]: /u", ["[\nb\n]", "[B]: /u"]],
    ["a label that is defined in a quote", "[a][b]\n\n> [b]: /u", ["[b]", "> [b]: /u"]],
    ["an image", "![\na\n](/u) b", ["![\na\n](/u)"]],
    ["an image by its label", "![a] b\n\n[a]: /u", ["![a]", "[a]: /u"]],
  ])("hide %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each([
    ["no definition of its label", "[a][\nb\n]"],
    ["a title that never ends", "[a]: /u 'b"],
    ["a definition in the middle of a paragraph", "a\n[b]: /u '\nc\n'"],
    ["no destination", "[a]:\n\nb"],
    ["an empty label", "[ ]: /u"],
    ["a blank line in the title", "[a](/u '\n\nb')"],
    ["an escaped bracket", "\\[a]: /u\n[b\\](/u)"],
    ["text behind the title", "[a]: /u 'b' c"],
    ["no opening bracket", "a](/u)"],
  ])("are none with %s", (_name, body) => expect(inert(body)).toEqual([]));

  it("hold no links", () => {
    expect(inert("[a [b](/u) c](/v)")).toEqual(["(/u)"]);
    expect(inert("[a ![b](/u) c](/v)")).toEqual(["![b](/u)", "(/v)"]);
  });
});

/** Long enough for anything quadratic to run into the time limit of a test. */
const rowCharacters = 300_000;

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
    expect(inertSpans(body).every((span) => span.end <= body.length)).toBe(true);
  });

  it("comes to the end of blank lines under a list of many levels", () => {
    const body = `${"- ".repeat(rowCharacters)}x${"\n".repeat(rowCharacters)}${"> ".repeat(rowCharacters)}`;
    expect(inertSpans(body)).toHaveLength(1);
  });
});

describe("places and slices", () => {
  it("keeps the places that start in live text", () => {
    const places = [0, 2, 4, 6, 8].map((start) => ({ start, end: start + 1 }));
    const spans = inertSpans("ab`cd`ef<!-- -->");
    expect(livePlaces(places, spans).map((place) => place.start)).toEqual([0, 6]);
  });

  it("puts a blank where a comment was, and a sign where something else inert was", () => {
    const body = "`x` a `b` c <!-- d";
    const spans = inertSpans(body);
    expect(liveSlice(body, { start: 0, end: body.length }, spans)).toBe("\uFFFC a \uFFFC c  ");
    expect(liveSlice(body, { start: 4, end: 8 }, spans)).toBe("a \uFFFC");
  });
});
