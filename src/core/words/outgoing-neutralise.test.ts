import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMarker } from "#core/commands/description-marker.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { liveText } from "#core/markdown/live-text.ts";
import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { Pull } from "#core/model/pull.ts";
import { neutralise, neutraliseBlocks, neutraliseMentions } from "#core/words/outgoing.ts";

const handle = "@drover";
const silent = { command: null, prose: null, nearMiss: null, namesCommand: false };

const nasty = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("@drover", "@DroVer", "@drover review", "@drover disable-reviews") },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          ..."`|``|```|~~~|<!--|-->|<!-->|<pre>|</pre>|<code>|</code>|>|\n|\n\n|\r\n|\r|    |\t| |\\|- |10. ".split(
            "|",
          ),
          ...'<a b="|">|<div |<div>|<script>|</script>|<?|?>|<!A |<![CDATA[|]]>|[a]: /u |[a]|[|](/u |\'|)|![|# |---|> '.split(
            "|",
          ),
          ..."@|\u200B|\u0301|\u2028|\u212A|.|-|/|:|,|for 4h|&#64;|drover".split("|"),
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 3 }) },
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(""));

function aPull(body: string): Pull {
  return Pull.parse({
    repository: { id: "r", name: "o/r" },
    number: 1,
    title: "",
    body,
    bodyEdits: [],
    author: { id: "1", login: "author", kind: "person" },
    createdAt: 1000,
    state: "open",
    isDraft: false,
    head: { sha: HeadSha.parse("a".repeat(40)), branch: "b", isFork: false, pushedAt: null, patch: null },
    base: { branch: "main", since: null },
    labels: [],
    mergeability: { kind: "unknown" },
    requestedReviewers: [],
  });
}

/** What is live of a text, apart from the breaks that Drover puts in. */
function unbroken(text: string): string {
  return liveText(text).replaceAll("\u200B", "");
}

describe("neutralise", () => {
  it("breaks the live handle and leaves what people copy", () => {
    expect(neutralise("@drover review, or `@drover review`.\n> @Drover\n\n@DROVER", handle)).toBe(
      "@\u200Bdrover review, or `@drover review`.\n> @Drover\n\n@\u200BDROVER",
    );
  });

  it("leaves what no page shows: where a link leads, and what a tag holds", () => {
    for (const text of ["[a](https://x.example/@drover)", "[a]: /u '@drover merge'", '<img alt="@drover merge">']) {
      expect(neutralise(text, handle)).toBe(text);
    }
  });

  it("breaks a handle that comes to life when another one is broken", () => {
    const address = "<`.@drover> `@drover merge`";
    const label = "[@drover]: /u\n\n[a [@drover] b](/u '`') @drover merge `";
    for (const text of [address, label, label.repeat(9)]) {
      const once = neutralise(text, handle);
      expect(readBotMessage(Untrusted.parse(once), handle)).toMatchObject(silent);
      expect(neutralise(once, handle)).toBe(once);
      expect(once.replaceAll("\u200B", "")).toBe(text);
    }
    expect(neutralise(address, handle)).toBe("<`.@\u200Bdrover> `@\u200Bdrover merge`");
  });

  it("leaves text without the handle, and other people, as they are", () => {
    for (const text of ["", "a@drover.org", "@drover-x and @alice", "@\u200Bdrover"]) {
      expect(neutralise(text, handle)).toBe(text);
    }
  });

  it("leaves nothing that speaks to the bot, in any text or any part of one", () => {
    fc.assert(
      fc.property(nasty, fc.nat(), (text, length) => {
        const whole = neutralise(text, handle);
        const cut = neutralise(whole.slice(0, length % (whole.length + 1)), handle);
        for (const outgoing of [whole, cut]) {
          expect(readBotMessage(Untrusted.parse(outgoing), handle)).toMatchObject(silent);
          expect(readMarker(aPull(outgoing), handle)).toBeNull();
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("does the same once and twice, and adds nothing but breaks in live text", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const once = neutralise(text, handle);
        expect(neutralise(once, handle)).toBe(once);
        expect(once.replaceAll("\u200B", "")).toBe(text.replaceAll("\u200B", ""));
        expect(unbroken(once)).toBe(unbroken(text));
      }),
      { numRuns: 1000 },
    );
  });

  it("is needed again after a cut: the end of a text may be what kept it inert", () => {
    const cut = "Say `@drover review` then".slice(0, 15);
    expect(readBotMessage(Untrusted.parse(cut), handle)).not.toMatchObject(silent);
    expect(readBotMessage(Untrusted.parse(neutralise(cut, handle)), handle)).toMatchObject(silent);
  });
});

describe("neutraliseMentions", () => {
  it.each([
    ["people, teams and the handle", "@alice @org/team @drover", "@\u200Balice @\u200Borg/team @\u200Bdrover"],
    ["people in quotes and comments, which forges notify", "> @alice\n<!-- @bob", "> @\u200Balice\n<!-- @\u200Bbob"],
    ["character references", "&#64;alice &#x40;bob &commat;eve", "&#64;\u200Balice &#x40;\u200Bbob &commat;\u200Beve"],
    ["people in what is code for some forges only", "a <!-- ` -- -->\n@alice\n`", "a <!-- ` -- -->\n@\u200Balice\n`"],
    ["behind letters of other scripts", "\u00E9@alice", "\u00E9@\u200Balice"],
    ["people behind code that a table tears", "a|b\n-|-\n`x|@alice`", "a|b\n-|-\n`x|@\u200Balice`"],
    ["people behind a bar that only seems escaped", "a|b\n-|-\n`\\\\|@alice`", "a|b\n-|-\n`\\\\|@\u200Balice`"],
    ["what is no code then any more", "a|b\n-|-\n`x|`b` @alice `c`", "a|b\n-|-\n`x|`b` @\u200Balice `c`"],
  ])("breaks %s", (_name, text, expected) => expect(neutraliseMentions(text, { except: [] })).toBe(expected));

  it.each(["mail@example.org", "`@alice`", "```\n@alice\n```", "@ alice", "a @", "@\u200Balice"])(
    "leaves %j as it is",
    (text) => expect(neutraliseMentions(text, { except: [] })).toBe(text),
  );

  it.each(["a|b\n-|-\n`@alice`|x", "a|b\n-|-\n`@alice [x\\|y]`|x", "a|b\n-|-\n`x|y`\n\n```suggestion\n@alice\n```"])(
    "leaves code in and beside a table as it is: %j",
    (text) => expect(neutraliseMentions(text, { except: [] })).toBe(text),
  );

  it("lets the people named be called, and nobody whose name only starts like theirs", () => {
    expect(neutraliseMentions("@Alice, @alice-x @alice/team @bob.", { except: ["alice", "BOB"] })).toBe(
      "@Alice, @\u200Balice-x @\u200Balice/team @bob.",
    );
  });

  it("changes nothing when it is done a second time", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const once = neutraliseMentions(text, { except: ["alice"] });
        expect(neutraliseMentions(once, { except: ["alice"] })).toBe(once);
        expect(unbroken(neutralise(once, handle))).toBe(unbroken(once));
      }),
      { numRuns: 500 },
    );
  });
});

describe("neutraliseBlocks", () => {
  it("keeps a repeated state block from being one", () => {
    expect(neutraliseBlocks("```rmcoc\n{}\n```\n```RMCOC")).toBe("```rm\u200Bcoc\n{}\n```\n```RM\u200BCOC");
  });
});
