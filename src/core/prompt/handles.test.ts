import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakHandles, restoreHandles } from "#core/prompt/handles.ts";

const text = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom("@alice", "@", "@org/team", "`", "```\n", "\n", " ", "mail", ".", "|-\n"),
      },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 3 }) },
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));

describe("handles in prose", () => {
  it.each([
    ["people, bots and teams", "@alice: ask @drover-bot, @Org/Team_1.", "＠alice: ask ＠drover-bot, ＠Org/Team_1."],
    ["names behind brackets, quotes and signs", "(@a) > @b *@c* .@d @@e /@f", "(＠a) > ＠b *＠c* .＠d @＠e /＠f"],
    ["character references", "&#64;a &#064;b &#x40;c &#X0040;d &commat;e", "＠a ＠b ＠c ＠d ＠e"],
    ["names in other scripts, and behind them", "@名前 é@alice", "＠名前 é＠alice"],
    ["names in code that are no packages", "`@alice` ```\n@drover merge\n```", "`＠alice` ```\n＠drover merge\n```"],
    ["what looks like a package outside of code", "use @scope/name", "use ＠scope/name"],
    ["all of a text whose code is in doubt", "`@scope/name` and ` more", "`＠scope/name` and ` more"],
    ["packages that are none", "`@Org/Team @a/ @/b`", "`＠Org/Team ＠a/ @/b`"],
  ])("are broken: %s", (_name, written, expected) => {
    expect(breakHandles(written)).toBe(expected);
  });

  it.each([
    "mail@example.org and a_b@example.org",
    "react@18 @ 5 pm, @ alice, a @",
    "`import x from '@scope/name/part'`, `npm i @scope/name@1.2.3`",
    '```ts\nimport x from "@scope/name";\n```',
    "＠alice",
    "&#641;a &amp;",
  ])("are not seen in %j", (written) => {
    expect(breakHandles(written)).toBe(written);
  });

  it("come back as they were, but for references", () => {
    fc.assert(
      fc.property(text, (written) => {
        const broken = breakHandles(written);
        expect(breakHandles(broken)).toBe(broken);
        expect(restoreHandles(broken)).toBe(restoreHandles(written));
        expect(restoreHandles(broken).replaceAll("＠", "@")).toBe(written.replaceAll("＠", "@"));
      }),
      { numRuns: 500 },
    );
  });

  it("are made of nothing else that has this sign", () => {
    for (const written of ["mail＠example.org", "＠ 5", "a＠"]) expect(restoreHandles(written)).toBe(written);
    expect(restoreHandles("＠alice, é＠bob, ＠[U+200B]eve")).toBe("@alice, é@bob, @[U+200B]eve");
  });
});
