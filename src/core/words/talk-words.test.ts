import { describe, expect, it } from "vitest";
import { CommentId } from "#core/model/ids.ts";
import { answerWords } from "#core/words/talk-words.ts";

const said = { to: null, suspects: [], handle: "@drover" } as const;

describe("an answer", () => {
  it("that was cut off ends with a whole sentence, and says so", () => {
    const words = answerWords("It splits on blanks. Then it counts them. After that it wr", { ...said, isCut: true });
    expect(words).toContain("Then it counts them.");
    expect(words).not.toContain("After that");
    expect(words).toContain("is cut here");
  });

  it("that is too long for a comment is cut at a sentence, and says so", () => {
    const words = answerWords("It splits on blanks. ".repeat(2_000), said);
    expect(words).toMatch(/blanks\.\n\n_The answer was longer/);
  });

  it("that is whole says nothing about it", () => {
    expect(answerWords("It splits on blanks", said)).toBe("It splits on blanks");
  });

  it("in a language without blanks keeps its sentences, and is not lost with its last word", () => {
    const sentences = answerWords("これは文です。そして次の文です。さらに続", { ...said, isCut: true });
    expect(sentences).toMatch(/^これは文です。そして次の文です。\n\n_The answer/);
    const words = answerWords("これは文ですがとても長いので終わりま", { ...said, isCut: true });
    expect(words).toMatch(/^これは文ですがとても長いので終わりま …\n\n_The answer/);
  });

  it("without the end of a sentence is cut at a word", () => {
    const words = answerWords("one two three fo", { ...said, isCut: true });
    expect(words).toContain("one two three …");
  });

  it("says whose question it answers, with a link, and which one where there are several", () => {
    const to = { login: "rita", comment: CommentId.parse("i12"), quote: null };
    expect(answerWords("Yes.", { ...said, to })).toBe("In answer to `rita` ([their words](#issuecomment-12)):\n\nYes.");
    const second = { ...to, quote: "@drover why?\n@drover merge" };
    const words = answerWords("Yes.", { ...said, to: second });
    expect(words).toMatch(/\n\n> .*why\?.*\n\nYes\.$/);
    expect(words).not.toContain("@drover");
  });
});
