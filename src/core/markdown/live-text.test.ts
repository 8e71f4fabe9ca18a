import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCodeAt, liveText } from "#core/markdown/live-text.ts";

/** The letters that are live. */
function live(body: string): string {
  return lettersOf(liveText(body));
}

/** The letters that are left of a body without its inert parts and its plain tags. */
function without(body: string, inert: readonly string[]): string {
  let rest = "";
  let at = 0;
  for (const part of inert) {
    const start = body.indexOf(part, at);
    rest += body.slice(at, start);
    at = start + part.length;
  }
  return lettersOf((rest + body.slice(at)).replaceAll(/<\/?[a-z]+>/gi, ""));
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^a-z@]/gi, "");
}

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
  ])("are inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each([
    ["only two marks", "~~\nb"],
    ["a backtick in the info string", "``` a`\nb"],
  ])("are not opened by %s", (_name, body) => expect(live(body)).toBe(without(body, [])));

  it.each([
    ["four spaces before them", "    ```\nb\n    ```\nc"],
    ["a tab before them", "\t```\nb"],
    ["code indented behind a bullet", "-      ```\nb"],
    ["an item that is over", "- a\n\nb\n\n    ```\nc"],
  ])("are indented code with %s, and end with their line", (_name, body) =>
    expect(live(body)).toBe(without(body, ["```"])),
  );
});

describe("indented code", () => {
  it.each([
    ["at the start", "    a\nb", ["a"]],
    ["behind a blank line", "a\n\n    b\n\tc\nd", ["b", "c"]],
    ["over blank lines", "    a\n\n    b", ["a", "b"]],
    ["in an item", "- a\n\n      b\nc", ["b"]],
    ["behind a heading", "# a\n    b", ["b"]],
    ["with a mark that closes nothing", "    `a\nb`", ["`a"]],
  ])("is inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each(["a\n    b", "- a\n      b", "- a\n\n  b", "   a"])("is not in %j", (body) => {
    expect(live(body)).toBe(without(body, []));
  });
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
  ])("are inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each([
    ["a blank line", "`a\n\nb`"],
    ["a blank line with spaces", "`a\r\n \t\r\nb`"],
    ["a list item", "`a\n- b`"],
    ["runs of another length", "`a `` b"],
    ["an escape", "\\`a\\`"],
  ])("do not reach over %s", (_name, body) => expect(live(body)).toBe(without(body, [])));

  it("do not reach over a quote or a fence", () => {
    expect(live("`a\n> b\n\nc`")).toBe(without("`a\n> b\n\nc`", ["> b"]));
    expect(live("`a\n~~~\nb\n~~~\nc`")).toBe(without("`a\n~~~\nb\n~~~\nc`", ["~~~\nb\n~~~"]));
  });

  it("pair up as in a slow search by hand", () => {
    const line = fc.array(fc.constantFrom("`", "a"), { maxLength: 14 }).map((marks) => `b${marks.join("")}`);
    fc.assert(
      fc.property(line, (body) => {
        expect(codeOf(body)).toBe(codeSpansByHand(body).join("\n"));
      }),
    );
  });
});

/** The code in a body of one line, by spans; no two of them touch. */
function codeOf(body: string): string {
  const text = liveText(body);
  return Array.from(body, (mark, at) => (isCodeAt(text, at) ? mark : " "))
    .join("")
    .trim()
    .replaceAll(/ +/g, "\n");
}

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
    ["a comment over lines", "a <!-- b\nc --> d", ["<!-- b\nc -->"]],
    ["a comment over lines, blank ones too", "<!-- b\n\nc -->\nd", ["<!-- b\n\nc -->"]],
    ["what only seems to be one, and all behind it", "a <!-- b\n\nc --> d", ["<!-- b\n\nc --> d"]],
    ["a comment without end", "a <!-- b\n\nc", ["<!-- b\n\nc"]],
    ["what some take for a whole comment, and all behind it", "<!--> a <!---> b", ["<!--> a <!---> b"]],
    ["a comment over a fence, which is none", "<!--\n```\n-->\na\n`b`", ["<!--\n```\n-->", "`b`"]],
    ["text behind a comment is live again", "<!--\n\n--> a `b` c", ["<!--\n\n-->", "`b`"]],
    ["a comment over quote lines", "<!--\n> a -->\nb", ["<!--\n> a -->"]],
    ["a closed element, in any case", 'a <PRE class="x">b\nc</pre > d', ['<PRE class="x">b\nc</pre >']],
    ["an element over paragraphs, and all behind it", "a <pre>b\n\nc</pre> d", ["<pre>b\n\nc</pre> d"]],
    ["an element that never ends", "a <pre>b\n\nc", ["<pre>b\n\nc"]],
    ["an element whose tags cross others, and all behind it", "<del><div></del>a", ["<del><div></del>a"]],
    ["an element that reaches over a list item", "<del>\n\n- a\n\n</del>\nb", ["<del>\n\n- a\n\n</del>\nb"]],
    ["an element that is not shown", "<p hidden>a</p>b", ["<p hidden>a</p>"]],
    ["what may be a declaration", "<!- a -->", ["<!- a -->"]],
    ["a closed code element", "<code>a</code> <code\nid>b</code>", ["<code>a</code>", "<code\nid>b</code>"]],
    ["quote lines, whole, however deep", "> a\n> > b\n>c\n\nd", ["> a", "> > b", ">c"]],
    ["a quote whose marks move to the right, and all behind it", "> a\n   > b\n\nd", ["> a\n   > b\n\nd"]],
    ["a quote in a list", "- > a\n\nb", ["> a"]],
    ["nothing that a quote line opens", "> ```\n> <!--\na", ["> ```", "> <!--"]],
    ["a quote line ends with its carriage return", "> a\r\rb\r\n> c\r\n\r\nd", ["> a", "> c"]],
    ["a quote in HTML", "a <blockquote>b</blockquote> c", ["<blockquote>b</blockquote>"]],
  ])("are inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each(["\\<!-- a -->", "<code a", "<prefix>a</prefix>", "a > b", "< !-- a -->"])("takes %j for live text", (body) =>
    expect(live(body)).toBe(without(body, [])),
  );

  it("takes U+2028 for a blank and not for the end of a line, as forges do", () => {
    expect(live("> a\u2028b")).toBe(without("> a\u2028b", ["> a\u2028b"]));
    expect(live("a\u2028> b")).toBe(without("a\u2028> b", []));
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
  ])("are inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

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
  ])("end with %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));
});

describe("HTML", () => {
  it.each([
    ["an open tag over lines", 'a <a title="\nb\n">c</a>', ['<a title="\nb\n">']],
    ["one that begins the paragraph", '<a title="\nb\n">', ['<a title="\nb\n">']],
    ["an instruction, and all behind it", "a <? b\nc ?> d", ["<? b\nc ?> d"]],
    ["a declaration, and all behind it", "a <!X b\nc > d", ["<!X b\nc > d"]],
    ["CDATA, and all behind it", "a <![CDATA[ b\nc ]]> d", ["<![CDATA[ b\nc ]]> d"]],
    ["a block that is an instruction, over blank lines", "<? a\n\nb ?>\nc", ["<? a\n\nb ?>\nc"]],
    ["a block that is a declaration", "<!X a\n\nb >\nc", ["<!X a\n\nb >\nc"]],
    ["a block that is CDATA", "<![CDATA[ a\n\nb ]]>\nc", ["<![CDATA[ a\n\nb ]]>\nc"]],
    ["blocks that never end", "a\n\n<? b\n\nc", ["<? b\n\nc"]],
    ["a tag over the lines of a block", '<div title="\na\n">\nb', ['<div title="\na\n">']],
    ["a tag that its block does not finish", '<div title="\n\na\n\n">\nb', ['<div title="\n\na\n\n">\nb']],
    ["a comment that its list item does not finish", "- <!-- a\n\nb -->", ["<!-- a\n\nb -->"]],
    ["a comment that its quote does not finish", "> <!--\n\na", ["> <!--", "\n\na"]],
    ["code without end", "<pre>\na\n\nb", ["<pre>\na\n\nb"]],
    ["what is in backticks in a block", "<div>\n`a`", ["`a`"]],
  ])("is inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each(["script", "style", "textarea", "title", "template", "iframe", "xmp", "noscript", "object"])(
    "takes all that stands behind <%s> for swallowed, closed or not",
    (name) => {
      const closed = `<${name}>\na</${name}>`;
      expect(live(`${closed}\n\nb`)).toBe("");
      expect(live(`a ${closed}\n\nb`)).toBe("a");
      expect(live(`a <${name}> b\n\nc`)).toBe("a");
      expect(live(`> a <${name}>\n\nc`)).toBe("");
    },
  );

  it.each([
    ["a closing tag in code", "a <script>\n\n`</script>`\n\nb", ["<script>\n\n`</script>`\n\nb"]],
    ["a closing tag of another name", "<script>\n</pre>\n\na", ["<script>\n</pre>\n\na"]],
    ["an inner one of its name", "a <template><template></template>\nb", ["<template><template></template>\nb"]],
    ["a script in a comment", "<script><!--<script></script>\n\na", ["<script><!--<script></script>\n\na"]],
    ["what hides behind an instruction", "<? > <style> ?>\n\na", ["<? > <style> ?>", "\n\na"]],
  ])("is not closed by %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each([
    "<div>\na\n</div>",
    "</details>\na",
    "<b>a</b>",
    "a <b\n\nc",
    'a <a title="b\n\nc">',
    'a <a title="b',
    "a <a b=c=d e>",
    "a <a @b>",
    "\\<b c='d'>",
    "<https://a/b>",
    "a < b > c",
  ])("leaves the text in %j live", (body) => expect(live(body)).toBe(without(body, [])));

  it("does not see a fence in a block, nor a block in a fence", () => {
    expect(live("<div>\n```\n\na\n```\nb")).toBe(without("<div>\n```\n\na\n```\nb", ["```\nb"]));
    expect(live("```\n<script>\n```\na")).toBe(without("```\n<script>\n```\na", ["```\n<script>\n```"]));
    expect(live("a <!-- b\n\n```\n-->\nc\n```")).toBe(
      without("a <!-- b\n\n```\n-->\nc\n```", ["<!-- b\n\n```\n-->", "\nc\n```"]),
    );
  });

  it.each([
    ["comments that hold two hyphens", "a <!-- ` -- -->\nb\n`"],
    ["declarations in small letters", "<!x\n\n```\n>\nb\n```"],
    ["what a text area holds", "<textarea>\n\n```\n</textarea>\nb\n```"],
    ["the names of blocks", "a\n<search>\n```\n\n```\nb\n```"],
    ["what a block ends for one of them only", "`a\nb\n<search>\nc`"],
  ])("counts as inert by each edition of CommonMark: %s", (_name, body) => {
    expect(live(body)).not.toContain("b");
  });

  it("takes code, tags and links in the order in which they open", () => {
    expect(live('`<a b="` c ">`')).toBe(without('`<a b="` c ">`', ['`<a b="`']));
    expect(live('<a b="`">`c`')).toBe(without('<a b="`">`c`', ['<a b="`">', "`c`"]));
    expect(live("[a](/u '`')`b`")).toBe(without("[a](/u '`')`b`", ["(/u '`')", "`b`"]));
    expect(live("<https://a/`>`b`")).toBe(without("<https://a/`>`b`", ["`b`"]));
  });
});

describe("what is struck out, and mathematics", () => {
  it.each([
    ["a part of a line", "a ~~b~~ c", ["~~b~~"]],
    ["a part between single marks", "a ~b~ c", ["~b~"]],
    ["all between the first mark and the last", "a ~~b~~ c ~d~ e", ["~~b~~ c ~d~"]],
    ["lines of a paragraph", "~~a\nb~~ c", ["~~a\nb~~"]],
    ["marks of equal length only", "~~a~ b~~ c", ["~~a~ b~~"]],
    ["no marks in code", "~~a `b~~` c~~", ["~~a `b~~` c~~"]],
    ["a display", "a\n$$\nb\n$$\nc", ["$$\nb\n$$"]],
    ["a display over blank lines, and all behind it", "a\n\n$$\nb\n\nc\n$$\nd", ["$$\nb\n\nc\n$$\nd"]],
    ["a display in one line", "$$a$$ b", ["$$a$$"]],
    ["a display that may begin in two places, and all behind it", "a $$\n$$\nb\n$$\nc", ["$$\n$$\nb\n$$\nc"]],
    ["a formula", "a $b+c$ d", ["$b+c$"]],
    ["a formula in brackets", "a\n\\[\nb\n\\]\nc", ["\\[\nb\n\\]"]],
    ["a formula in brackets over blank lines, and all behind it", "\\[\na\n\nb\n\\]\nc", ["\\[\na\n\nb\n\\]\nc"]],
    ["an element", "<del>\n\na\n\n</del>\nb", ["<del>\n\na\n\n</del>"]],
    ["an element within a paragraph", "<del>a\nb</del> c", ["<del>a\nb</del>"]],
    ["an element that never ends", "a <s>b\n\nc", ["<s>b\n\nc"]],
  ])("is inert: %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each([
    "~~a\n\nb~~",
    "~5 to ~6",
    "a ~ b ~ c",
    "\\~a~",
    "$5 or $6",
    "upto:$5 and 6$",
    "a $$b",
    "$$a\n\nb",
    "~~~a~~~ b",
  ])("is not found in %j", (body) => expect(live(`x ${body}`)).toBe(without(`x ${body}`, [])));
});

describe("links", () => {
  it.each([
    ["a definition", "[a]: /u", ["[a]: /u"]],
    ["a definition with a title over lines", "[a]: /u '\nb\n'\nc", ["[a]: /u '", "b", "'"]],
    ["a definition over lines", "[\na\n]:\n/u\n(b)\nc", ["[", "a", "]:", "/u", "(b)"]],
    ["several", '[a]: /u\n[b]: </v w> "c"\nd', ["[a]: /u", '[b]: </v w> "c"']],
    ["what might be the title of a definition, and all behind it", "[a]: /u\n'b' c", ["[a]: /u\n'b' c"]],
    ["a definition in a list, and the paragraph that it may be part of", "- [a]: /u\nb", ["- [a]: /u\nb"]],
    ["lines behind what might be one", "a\n[b]: /u '\nc\n'", ["c"]],
    ["a label, defined or not", "[a][\nb\n]", ["[\nb\n]"]],
    ["where no link leads", "a](/u) b", ["(/u)"]],
    ["a title that never ends, and the rest of its paragraph", "[a](/u '\nb\n\nc')", ["(/u '\nb"]],
    ["a title that may hold code", "[a](/u '`')\nb\n`", ["(/u '`')\nb\n`"]],
    ["the text of an image that may hold code", "![a`](/u)\nb\n`", ["![a`](/u)\nb\n`"]],
    ["a definition in a list", "- [a]: /u '\n  b'\n\nc", ["[a]: /u '", "b'"]],
    ["the title of a link", "[a](/u '\nb\n') c", ["(/u '\nb\n')"]],
    ["the label of a link", "[a][\nb\n] c\n\n[B]: /u", ["[\nb\n]", "[B]: /u"]],
    ["a label that is defined in a quote", "[a][b]\n\n> [b]: /u", ["[b]", "> [b]: /u"]],
    ["an image", "![\na\n](/u) b", ["![\na\n](/u)"]],
    ["an image by its label", "![a] b\n\n[a]: /u", ["![a]", "[a]: /u"]],
  ])("hide %s", (_name, body, inert) => expect(live(body)).toBe(without(body, inert)));

  it.each([
    ["a title that never ends", "[a]: /u 'b"],
    ["no destination", "[a]:\n\nb"],
    ["an empty label", "[ ]: /u"],
    ["an escaped bracket", "\\[a]: /u\n[b\\](/u)"],
    ["text behind the title", "[a]: /u 'b' c"],
  ])("are not made by %s", (_name, body) => expect(live(body)).toBe(without(body, [])));

  it("hold no links", () => {
    expect(live("[a [b](/u) c](/v)")).toBe("abc");
    expect(live("[a ![b](/u) c](/v)")).toBe(without("[a ![b](/u) c](/v)", ["![b](/u)", "(/v)"]));
  });
});

describe("what stands for inert text", () => {
  it("is a blank for a comment, a sign for anything else, and another one for code", () => {
    const text = liveText("`x` a ~~b~~ <!-- c --> d");
    expect(text.replaceAll(/[^ -~]+/g, "#")).toBe("# a #            d");
    expect([0, 4, 6].map((at) => isCodeAt(text, at))).toEqual([true, false, false]);
  });
});
