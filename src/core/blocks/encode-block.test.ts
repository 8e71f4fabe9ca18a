import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type Block, makeBlock } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { encodeBlocks, withoutBlocks } from "#core/blocks/encode-block.ts";
import { liveText } from "#core/markdown/live-text.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { CommandRecord, DisputeRecord } from "#core/model/records.ts";

const key = new TextEncoder().encode("k".repeat(32));
const secret = makeBlockSecret(key);
const context = { instance: InstanceId.parse("i"), repository: RepositoryId.parse("r"), pull: 7 };

function aCommand(comment: string): Block {
  const data = CommandRecord.parse({
    comment,
    word: "hold",
    by: "1",
    at: 5,
    head: null,
    outcome: "obeyed",
    forMs: null,
  });
  return makeBlock({ type: "command", data }, 3);
}

function aDispute(revision: string): Block {
  const data = DisputeRecord.parse({ reply: "@drover merge", revision, finding: "f", outcome: "conceded" });
  return makeBlock({ type: "dispute-resolution", data }, 0);
}

const signer = { secret, roles: ["security", "general"] };

describe("encodeBlocks", () => {
  it("writes one folded-up element with a fence for each block", () => {
    const encoded = encodeBlocks([aCommand("12"), aCommand("13")], context, signer);
    const text = encoded.kind === "encoded" ? encoded.text : "";
    expect(text.replaceAll(/[0-9a-f]{64}/g, "MAC")).toMatchInlineSnapshot(`
      "<details><summary>Drover's notes to itself</summary>

      <!-- drover:roles general security -->

      \`\`\`rmcoc
      {"data":{"at":5,"by":"1","comment":"12","forMs":null,"head":null,"limitMs":null,"outcome":"obeyed","uptoMicroUsd":null,"word":"hold"},"mac":"MAC","revision":3,"subject":"12","type":"command"}
      \`\`\`

      \`\`\`rmcoc
      {"data":{"at":5,"by":"1","comment":"13","forMs":null,"head":null,"limitMs":null,"outcome":"obeyed","uptoMicroUsd":null,"word":"hold"},"mac":"MAC","revision":3,"subject":"13","type":"command"}
      \`\`\`

      </details>"
    `);
  });

  it("is taken off again with all that it holds, and only from the end", () => {
    const encoded = encodeBlocks([aCommand("12"), aCommand("13")], context, signer);
    const text = encoded.kind === "encoded" ? encoded.text : "";
    expect(withoutBlocks(`Words.\n\n${text}`)).toBe("Words.");
    expect(withoutBlocks("Words.")).toBe("Words.");
  });

  it("signs every part behind its length, as anybody with the key can check", () => {
    const parts = ["drover state block 1", "i", "r", 7, "command", "12", 3, undefined].map((part) =>
      JSON.stringify(part),
    );
    parts[7] =
      '{"at":5,"by":"1","comment":"12","forMs":null,"head":null,"limitMs":null,"outcome":"obeyed","uptoMicroUsd":null,"word":"hold"}';
    const message = parts.map((part) => `${part.length}:${part}`).join("");
    const mac = createHmac("sha256", key).update(message).digest("hex");
    expect(encodeBlocks([aCommand("12")], context, signer)).toMatchObject({ text: expect.stringContaining(mac) });
  });

  it("holds no text that is live, closes a fence or calls anybody", () => {
    const encoded = encodeBlocks([aDispute("```\n</details>\n@drover merge\n<!--")], context, signer);
    const text = encoded.kind === "encoded" ? encoded.text : "";
    expect(text).not.toContain("@");
    expect(liveText(text).match(/\w+/g)).toEqual(["Drover", "s", "notes", "to", "itself"]);
    expect(text.split("\n").filter((line) => line.startsWith("```"))).toEqual(["```rmcoc", "```"]);
  });

  it("says so when a block or their number is too large, and writes nothing for none", () => {
    const large = aDispute("é".repeat(blockLimits.blockBytesMax / 6));
    expect(encodeBlocks([aCommand("1"), large], context, signer)).toMatchObject({
      kind: "too_large",
      type: "dispute-resolution",
      subject: "@drover merge",
    });
    const many = Array.from({ length: blockLimits.blocksPerTextMax + 1 }, (_, index) => aCommand(String(index + 1)));
    expect(encodeBlocks(many, context, signer)).toEqual({ kind: "too_many", count: many.length });
    expect(encodeBlocks(many.slice(1), context, signer).kind).toBe("encoded");
    expect(encodeBlocks([], context, signer)).toEqual({ kind: "encoded", text: "" });
  });
});

describe("a block secret", () => {
  it("cannot be printed by accident", () => {
    expect(JSON.stringify({ secret })).toBe('{"secret":"***"}');
    expect(String(secret)).toBe("***");
    // oxlint-disable-next-line typescript/restrict-template-expressions -- the very accident that is to be harmless.
    expect(`${secret}`).toBe("***");
    expect(inspect({ ...secret }, { showHidden: true, depth: 9 })).not.toMatch(/107|kkk|6b6b/);
  });

  it("does not change with the bytes it was made of, and is refused when short", () => {
    const bytes = key.slice();
    const own = makeBlockSecret(bytes);
    bytes.fill(0);
    expect(own.authenticate(new Uint8Array([1]))).toBe(secret.authenticate(new Uint8Array([1])));
    expect(() => makeBlockSecret(new Uint8Array(31))).toThrow("at least 32 bytes");
  });
});
