import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AnswerReading, readAnswer } from "#models/read-answer.ts";

const Shape = z.object({ verdict: z.enum(["good", "bad"]) });
type Shape = z.infer<typeof Shape>;

function read(text: string, finish: Parameters<typeof readAnswer>[1]["finish"] = "stop"): AnswerReading<Shape> {
  return readAnswer(Shape, { text, finish }, { mayBeCut: false });
}

const good = { kind: "read", value: { verdict: "good" } };

describe("an answer", () => {
  it.each([
    ["alone", '{"verdict":"good"}'],
    ["with space around it", '\n  {"verdict" : "good"}\n\n'],
    ["in a block", '```json\n{"verdict":"good"}\n```'],
    ["in a block with other line ends", '```json\r\n{"verdict":"good"}\r\n```'],
    ["in the one block of a text", 'Here it is:\n\n```\n{"verdict":"good"}\n```\nThat was it.'],
    ["after a few words", 'I looked at it all.\n{\n"verdict": "good"\n}'],
  ])("is read where the JSON comes %s", (_, text) => {
    expect(read(text)).toEqual(good);
  });

  it.each([
    ["there is none", "good"],
    ["there are two", '```json\n{"verdict":"good"}\n```\n```json\n{"verdict":"bad"}\n```'],
    ["words follow it", '{"verdict":"good"}\nbut {"verdict":"bad"} is possible'],
    ["it is in the middle of a line", 'my verdict: {"verdict":"good"} or so'],
    ["a field has another value", '{"verdict":"so-so"}'],
    ["it is another value", '"good"'],
    ["blocks begin and never end", "```a\n".repeat(60_000)],
    ["it is deeper than anything", "[".repeat(100_000) + "]".repeat(100_000)],
    ["it is half", '{"verdict":"good"'],
  ])("is not guessed at where %s", (_, text) => {
    expect(read(text)).toMatchObject({ kind: "wrong", outcome: "unreadable", ask: expect.any(String) });
  });

  it("that was cut off is not read, even where it could be", () => {
    expect(read('{"verdict":"good"}', "length")).toMatchObject({ kind: "wrong", outcome: "cut" });
  });

  it("that was cut off is taken where nobody minds", () => {
    const cut = readAnswer<string>(null, { text: "as far as it g", finish: "length" }, { mayBeCut: true });
    expect(cut).toEqual({ kind: "read", value: "as far as it g" });
  });

  it("in plain text is what it is", () => {
    const plain = readAnswer<string>(null, { text: "yes {", finish: "stop" }, { mayBeCut: false });
    expect(plain).toEqual({ kind: "read", value: "yes {" });
  });

  it("of somebody who refuses is not asked for again", () => {
    expect(read("", "content-filter")).toMatchObject({ kind: "wrong", outcome: "refused", ask: null });
  });

  it("with wrong fields is sent back with what is wrong, briefly", () => {
    const Many = z.object({ list: z.array(z.object({ name: z.string() })) });
    const list = Array.from({ length: 100 }, () => ({ name: 5 }));
    const reading = readAnswer(Many, { text: JSON.stringify({ list }), finish: "stop" }, { mayBeCut: false });
    if (reading.kind !== "wrong") throw new Error("it was read");
    expect(reading.ask).toContain("- list.0.name: ");
    expect(reading.ask?.split("\n").length).toBeLessThan(12);
  });

  it("is read or wrong, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(["read", "wrong"]).toContain(read(text).kind);
      }),
    );
  });

  it("is read from anything that has the shape", () => {
    const extra = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(extra, fc.constantFrom("good", "bad"), fc.boolean(), (more, verdict, isInBlock) => {
        const json = JSON.stringify({ ...more, verdict }, null, 1);
        const reading = read(isInBlock ? `\`\`\`json\n${json}\n\`\`\`` : json);
        expect(reading).toEqual({ kind: "read", value: { verdict } });
      }),
    );
  });
});
