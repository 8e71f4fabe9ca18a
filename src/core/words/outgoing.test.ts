import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { Untrusted } from "#core/model/ids.ts";
import { outgoing, outgoingCharactersMax } from "#core/words/outgoing.ts";

const nasty = fc.array(
  fc.constantFrom("@drover merge", "@Drover", "`", "```", "~~~", "<!--", "-->", "> ", "\n", " ", "x"),
  {
    maxLength: 20,
  },
);

describe("outgoing", () => {
  it("leaves ordinary text and shown commands as they are", () => {
    const words = "Comment `@drover review` for another look.";
    expect(outgoing(words, "@drover")).toBe(words);
  });

  it("fits into a comment and says that something was left out", () => {
    const fitted = outgoing("a line of text\n".repeat(10_000), "@drover");
    expect(fitted.length).toBeLessThanOrEqual(outgoingCharactersMax);
    expect(fitted).toContain("did not fit");
  });

  it("closes a code block that it had to cut, and summons nobody by cutting", () => {
    const fitted = outgoing(`\`\`\`\n${"@drover merge\n".repeat(10_000)}\`\`\``, "@drover");
    expect(fitted.match(/^```/gm)).toHaveLength(2);
    expect(readBotMessage(Untrusted.parse(fitted), "@drover")).toMatchObject({ command: null, prose: null });
  });

  it("is never a command, whatever it is made of and wherever it is cut", () => {
    fc.assert(
      fc.property(nasty, fc.nat(3), (parts, times) => {
        const text = parts.join("").repeat(1 + times * 2_000);
        const written = outgoing(text, "@drover");
        expect(readBotMessage(Untrusted.parse(written), "@drover")).toMatchObject({ command: null, prose: null });
        expect(written.length).toBeLessThanOrEqual(outgoingCharactersMax);
      }),
      { numRuns: 200 },
    );
  });
});
