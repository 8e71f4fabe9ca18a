import { describe, expect, it } from "vitest";
import { readMarker } from "#core/commands/description-marker.ts";
import { Account } from "#core/model/account.ts";
import { HeadSha } from "#core/model/ids.ts";
import { hourMs, instant } from "#core/model/instant.ts";
import { Pull } from "#core/model/pull.ts";

const author = Account.parse({ id: "1", login: "author", kind: "person" });
const off = "@drover disable-reviews";

interface Edit {
  readonly at: number;
  readonly by?: string | null;
  readonly body: string | null;
}

function aPull(body: string, edits: readonly Edit[] = []): Pull {
  return Pull.parse({
    repository: { id: "r", name: "o/r" },
    number: 1,
    title: "",
    body,
    bodyEdits: edits.map(({ at, by = "2", body: text }) => ({ at, by, body: text })),
    author,
    createdAt: instant(1000),
    state: "open",
    isDraft: false,
    head: { sha: HeadSha.parse("a".repeat(40)), branch: "b", isFork: false, pushedAt: null, patch: null },
    base: { branch: "main", since: null },
    labels: [],
    mergeability: { kind: "unknown" },
    requestedReviewers: [],
  });
}

describe("the marker's text", () => {
  it.each([
    [off, null],
    [`Work in progress, so ${off}, please.`, null],
    [`a\r\n- [ ] ${off} for 4h\r\nb`, 4 * hourMs],
    [`${off} for banana`, null],
    ["@Drover: DISABLE-REVIEWS", null],
    [`${off}\n${off} for 4h`, null],
    [`@drover review\n@drover merge ${off}`, null],
    ["@drover please disable-reviews for 4h, it is noisy.", 4 * hourMs],
    [`${off} 4h`, null],
    [`${off} is what we want here`, null],
  ])("counts anywhere in a line: %j", (body, forMs) => {
    expect(readMarker(aPull(body), "@drover")).toEqual({ at: 1000, by: "1", forMs });
  });

  it.each([
    "",
    "disable-reviews",
    "@drover please do not disable-reviews",
    "@drover\ndisable-reviews",
    "@drover-x disable-reviews",
    "@drover disable-reviews-later",
    `\`${off}\``,
    `\`\`\`\n${off}\n\`\`\``,
    `<!-- ${off} -->`,
    `> ${off}`,
    `a\n\n    ${off}`,
    `- a\n\n      ${off}`,
    `~~${off}~~`,
    `~~a\n${off}\nb~~`,
    `$$\n${off}\n$$`,
    `<del>${off}</del>`,
    `<kbd>${off}</kbd>`,
    "@drover enable-reviews",
  ])("is not in %j", (body) => expect(readMarker(aPull(body), "@drover")).toBeNull());
});

describe("the marker's time", () => {
  it.each<[string, readonly Edit[], { at: number; by: string }]>([
    ["the creation, without history", [], { at: 1000, by: "1" }],
    [
      "the edit that brought it in",
      [
        { at: 2000, body: "a" },
        { at: 3000, body: off },
        { at: 4000, by: "3", body: `${off} b` },
      ],
      { at: 3000, by: "2" },
    ],
    [
      "the later edit, where it was out in between",
      [
        { at: 2000, body: off },
        { at: 3000, body: "a" },
        { at: 4000, by: "3", body: off },
      ],
      { at: 4000, by: "3" },
    ],
    [
      "the creation, where it was there before the first edit",
      [
        { at: 2000, body: off },
        { at: 3000, body: off },
      ],
      { at: 1000, by: "1" },
    ],
    [
      "the creation, where an edit between is not told",
      [
        { at: 2000, body: "a" },
        { at: 3000, body: null },
        { at: 4000, body: off },
      ],
      { at: 1000, by: "1" },
    ],
    ["the creation, where the last edit is missing from the history", [{ at: 2000, body: "a" }], { at: 1000, by: "1" }],
    [
      "the edit, by the author where nobody says who edited",
      [
        { at: 2000, body: "a" },
        { at: 3000, by: null, body: off },
      ],
      { at: 3000, by: "1" },
    ],
    [
      "the edit in time, whatever the order of the list",
      [
        { at: 4000, by: "3", body: `${off} b` },
        { at: 2000, body: "a" },
        { at: 3000, body: off },
      ],
      { at: 3000, by: "2" },
    ],
    [
      "the later of two edits within a second",
      [
        { at: 3000, body: "a" },
        { at: 3000, by: "3", body: off },
      ],
      { at: 3000, by: "3" },
    ],
  ])("is %s", (_name, edits, expected) => {
    expect(readMarker(aPull(off, edits), "@drover")).toEqual({ ...expected, forMs: null });
  });

  it("starts anew with another duration", () => {
    const edits = [
      { at: 2000, body: "a" },
      { at: 3000, body: `${off} for 1h` },
      { at: 4000, body: `${off} for 2h` },
      { at: 5000, body: `${off} for 2h, b` },
    ];
    expect(readMarker(aPull(`${off} for 2h, b`, edits), "@drover")).toEqual({ at: 4000, by: "2", forMs: 2 * hourMs });
  });
});
