import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { blankedText, markOf, readMark, writeMark } from "#core/effects/effect-mark.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";

const secret = makeBlockSecret(new Uint8Array(32).fill(7));
const other = makeBlockSecret(new Uint8Array(32).fill(8));
const here = { instance: InstanceId.parse("drover"), repository: RepositoryId.parse("7"), pull: 12 };

describe("the mark of an effect", () => {
  it("is equal for the same effect on the same pull, and differs for anything else", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (one, more) => {
        const mark = markOf(one, here, secret);
        expect(mark).toMatch(/^[0-9a-f]{32}$/);
        expect(markOf(one, here, secret)).toBe(mark);
        expect(markOf(one + more, here, secret)).not.toBe(mark);
        expect(markOf(one, { ...here, pull: 13 }, secret)).not.toBe(mark);
        expect(markOf(one, { ...here, repository: RepositoryId.parse("8") }, secret)).not.toBe(mark);
        expect(markOf(one, { ...here, instance: InstanceId.parse("other") }, secret)).not.toBe(mark);
        expect(markOf(one, here, other)).not.toBe(mark);
      }),
      { numRuns: 50 },
    );
  });

  it("is read from the head of a text, behind a sentinel, also with other line ends", () => {
    const mark = markOf("x", here, secret);
    expect(readMark(`${writeMark(mark)}\nwords`)).toBe(mark);
    expect(readMark(`<!-- drover:managed 0 -->\n${writeMark(mark)}\nwords`)).toBe(mark);
    expect(readMark(`${writeMark(mark)}\r\nwords`)).toBe(mark);
  });

  it("is not read from further down, from a quotation, or from a blanked text", () => {
    const line = writeMark(markOf("x", here, secret));
    expect(readMark(`one\ntwo\nthree\n${line}`)).toBeUndefined();
    expect(readMark(`> ${line}`)).toBeUndefined();
    expect(readMark(`${line} and more`)).toBeUndefined();
    expect(readMark(blankedText)).toBeUndefined();
  });
});
