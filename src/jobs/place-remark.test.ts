import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import type { RemarkedLines } from "#core/model/conversation.ts";
import { createPlaceRemark, type PlaceContext } from "#jobs/place-remark.ts";
import { sha } from "#testing/makers.ts";

const path = "src/a.js";
const then = sha(1);
const head = sha(2);

/** A mirror in which the file reads so at every commit, and nothing has changed since. */
function contextOf(content: string): PlaceContext {
  return {
    mirror: {
      readFile: async () => ({ kind: "file", bytes: encodeText(content), isExecutable: false }),
      diff: async ({ base }) => ({ kind: "diff", bytes: new Uint8Array(), mergeBase: base }),
      logOf: async () => ({ kind: "log", entries: [], isCut: false }),
    },
    head,
    signal: new AbortController().signal,
  };
}

function remarked(over: Partial<RemarkedLines> = {}): RemarkedLines {
  return { commit: then, side: "new", first: 2, last: 3, text: "b\nc", ...over };
}

describe("the place of a remark", () => {
  const place = createPlaceRemark(contextOf("a\r\nb\r\nc\r\nd\r\n"));

  it("is proven where the commit reads as the forge showed it", async () => {
    const proven = { path, lines: { kind: "proven", first: 2, last: 3, text: "b\nc" } };
    expect(await place({ path, remarked: remarked() })).toEqual(proven);
    expect(await place({ path, remarked: remarked({ commit: head }) })).toEqual(proven);
  });

  it.each<[string, RemarkedLines | null]>([
    ["nobody knows the lines", null],
    ["nobody knows their text", remarked({ text: null })],
    ["the commit reads otherwise there", remarked({ text: "b\nx" })],
    ["the same text stands elsewhere in the commit", remarked({ first: 3, last: 4 })],
    ["the lines are beyond the end of the file", remarked({ first: 20, last: 21 })],
  ])("is not proven where %s", async (_, lines) => {
    expect(await place({ path, remarked: lines })).toEqual({ path, lines: { kind: "unproven" } });
  });
});
