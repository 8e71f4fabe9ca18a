import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, blockKey, Carrier, makeBlock } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { type BlockContext, blockMac, isSameMac, makeBlockSecret } from "#core/blocks/block-mac.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { encodeBlocks } from "#core/blocks/encode-block.ts";
import { type BlockText, readBlocks } from "#core/blocks/read-blocks.ts";
import { Account } from "#core/model/account.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { CommandRecord } from "#core/model/records.ts";

const bot = Account.parse({ id: "9", login: "drover", kind: "bot" });
const person = Account.parse({ id: "1", login: "drover", kind: "person" });
const secret = makeBlockSecret(new Uint8Array(32).fill(7));
const context = { instance: InstanceId.parse("i"), repository: RepositoryId.parse("r"), pull: 7 };

function aCommand(comment: string, revision = 0, word = "hold"): Block {
  const data = CommandRecord.parse({ comment, word, by: "1", at: 5, head: null, outcome: "obeyed", forMs: null });
  return makeBlock({ type: "command", data }, revision);
}

function encode(blocks: readonly Block[], where: BlockContext = context, key = secret): string {
  const encoded = encodeBlocks(blocks, where, { secret: key, roles: ["general"] });
  return encoded.kind === "encoded" ? encoded.text : "";
}

function aText(body: string, id = "100", author = bot): BlockText {
  return { where: `comment ${id}`, author, body, carrier: Carrier.parse({ kind: "comment", id }) };
}

function read(texts: readonly BlockText[], knownRevisions: ReadonlyMap<string, number> = new Map()) {
  return readBlocks({ texts, bot, context, secret, knownRevisions });
}

function blocksIn(body: string): readonly Block[] {
  return read([aText(body)]).accepted.map((each) => each.block);
}

/** A block with a MAC that holds, whatever is in it. */
function signed(claimed: { type: Block["type"]; subject: string; revision: number; data: unknown }): string {
  const json = canonicalJson({ ...claimed, mac: blockMac(claimed, context, secret) });
  return `\`\`\`rmcoc\n${json}\n\`\`\``;
}

const hold = aCommand("12");
const merge = aCommand("13", 2, "merge");

describe("finding blocks", () => {
  it.each<[string, (text: string) => string]>([
    ["as written", (text) => text],
    ["behind words", (text) => `Done.\n\n${text}`],
    ["behind a fence, a comment or a quote that never ends", (text) => `> x\n\`\`\`\n<!--\n${text}`],
    ["with carriage returns", (text) => text.replaceAll("\n", "\r\n")],
    ["with lone carriage returns", (text) => text.replaceAll("\n", "\r")],
    ["with words after them", (text) => `${text}\n\nrmcoc \`\`\`rmcoc`],
    ["with broken ones around", (text) => `\`\`\`rmcoc\n{\n${text}\n\`\`\`rmcoc\n{"a"`],
    ["in a longer fence", (text) => text.replaceAll("```", "`````")],
    ["with blanks around", (text) => text.replaceAll("```rmcoc\n", "  ```rmcoc \t\n\n ")],
  ])("reads all of a text %s", (_name, change) => {
    expect(blocksIn(change(encode([hold, merge])))).toEqual([hold, merge]);
  });

  it.each([
    ["an info string of its own", (text: string) => text.replaceAll("rmcoc", "rmcoc x")],
    ["a quote", (text: string) => text.replaceAll(/^/gm, "> ")],
    ["something before the fence", (text: string) => text.replaceAll("```rmcoc", "x ```rmcoc")],
    ["two backticks", (text: string) => text.replaceAll("```", "``")],
  ])("takes %s for no block at all", (_name, change) => {
    expect(read([aText(change(encode([hold])))])).toEqual({ accepted: [], refused: [], signed: [] });
  });

  it("reports a block that was cut off, wherever it was cut, and keeps those before it", () => {
    const text = encode([hold, merge]);
    const opened = text.lastIndexOf("```rmcoc") + "```rmcoc".length;
    const closed = text.lastIndexOf("```") + 3;
    for (let length = opened; length < closed; length++) {
      const { accepted, refused } = read([aText(text.slice(0, length))]);
      expect(accepted.map((each) => each.block)).toEqual([hold]);
      expect(refused).toEqual([{ where: "comment 100", why: "malformed" }]);
    }
  });

  it("reads as many as are allowed, and reports that there were more", () => {
    const many = Array.from({ length: blockLimits.blocksPerTextMax }, (_, index) => aCommand(String(index + 1)));
    const { accepted, refused } = read([aText(encode(many) + encode([aCommand("x")]))]);
    expect(accepted).toHaveLength(blockLimits.blocksPerTextMax);
    expect(refused).toEqual([{ where: "comment 100", why: "too_many" }]);
  });
});

describe("believing blocks", () => {
  it("refuses a text of anybody else, once, and believes the account and not the login", () => {
    const text = aText(encode([hold, merge]), "100", person);
    expect(read([text])).toEqual({
      accepted: [],
      refused: [{ where: "comment 100", why: "foreign_author" }],
      signed: [],
    });
    expect(read([{ ...text, author: { ...person, id: bot.id } }]).accepted).toHaveLength(2);
    expect(read([aText("rmcoc is a nice word", "100", person)]).refused).toEqual([]);
  });

  it.each<[string, string]>([
    ["another secret", encode([hold], context, makeBlockSecret(new Uint8Array(32).fill(8)))],
    ["another pull", encode([hold], { ...context, pull: 8 })],
    ["another repository", encode([hold], { ...context, repository: RepositoryId.parse("r2") })],
    ["another instance", encode([hold], { ...context, instance: InstanceId.parse("i2") })],
    ["another subject", encode([hold]).replaceAll('"12"', '"13"')],
    ["another revision", encode([hold]).replace('"revision":0', '"revision":1')],
    ["no MAC to speak of", encode([hold]).replace(/"mac":"[^"]*"/, '"mac":""')],
  ])("refuses a block with %s", (_name, body) => {
    expect(read([aText(body)])).toEqual({
      accepted: [],
      refused: [{ where: "comment 100", why: "bad_mac" }],
      signed: [],
    });
  });

  it.each<[string, string]>([
    ["a subject that is not that of its data", signed({ ...hold, subject: "13" })],
    ["data of another type", signed({ ...hold, type: "question" })],
    ["data that holds more than it should", signed({ ...hold, data: { ...hold.data, more: 1 } })],
    ["a key that reaches for the prototype", signed({ ...hold, data: JSON.parse('{"__proto__":{"a":1}}') })],
    ["another spelling of the same", encode([hold]).replace('"at":5', '"at": 5')],
    ["another spelling of a number", signed({ ...hold, revision: 0 }).replace('"revision":0', '"revision":-0')],
    ["a revision too large to count with", signed({ ...hold, revision: 2 ** 53 })],
    ["a number beyond all numbers", encode([hold]).replace('"at":5', '"at":1e999')],
    ["nested JSON without end", `\`\`\`rmcoc\n${"[".repeat(15_000)}\n\`\`\``],
    ["nested data", encode([hold]).replace('"at":5', `"at":${"[".repeat(5000)}${"]".repeat(5000)}`)],
    ["no JSON", "```rmcoc\nundefined\n```"],
    ["nothing", "```rmcoc\n```"],
  ])("takes %s for malformed", (_name, body) => {
    expect(read([aText(body)])).toEqual({
      accepted: [],
      refused: [{ where: "comment 100", why: "malformed" }],
      signed: [],
    });
  });

  it("refuses a block that is too large without reading it", () => {
    const body = `\`\`\`rmcoc\n"${"a".repeat(blockLimits.blockBytesMax)}"\n\`\`\``;
    expect(read([aText(body)]).refused).toEqual([{ where: "comment 100", why: "too_large" }]);
  });

  it("compares MACs whole", () => {
    expect(isSameMac("abc", "abc")).toBe(true);
    for (const other of ["abd", "bbc", "ab", "abcd", ""]) expect(isSameMac(other, "abc")).toBe(false);
  });
});

describe("revisions", () => {
  const known = new Map([[blockKey(merge), 2]]);

  it("refuses what is older than what is known, and takes what is as new", () => {
    expect(read([aText(encode([aCommand("13", 1)]))], known)).toEqual({
      accepted: [],
      refused: [{ where: "comment 100", why: "stale_revision" }],
      signed: [{ kind: "comment", id: "100" }],
    });
    expect(read([aText(encode([merge]))], known).accepted).toHaveLength(1);
    expect(read([aText(encode([aCommand("13", 3)]))], known).accepted).toHaveLength(1);
  });

  it("counts the highest of a subject, in any order, wherever it stands", () => {
    const texts = [aText(encode([merge, hold]), "100"), aText(encode([aCommand("13", 1)]), "101")];
    for (const order of [texts, texts.toReversed()]) {
      expect(read(order).accepted.map((each) => each.block)).toEqual([hold, merge]);
    }
  });

  it("names every carrier of a copied block, the oldest first", () => {
    const texts = ["1000", "99", "101"].map((id) => aText(encode([hold]), id));
    expect(read(texts).accepted.map((each) => each.carriers.map((carrier) => carrier.id))).toEqual([
      ["99", "101", "1000"],
    ]);
  });

  it("settles on one of two blocks with the same revision, in any order", () => {
    const texts = [aText(encode([aCommand("13", 2, "unhold")]), "100"), aText(encode([merge]), "101")];
    expect(read(texts).accepted).toEqual(read(texts.toReversed()).accepted);
    expect(read(texts).accepted).toHaveLength(1);
  });
});

describe("any text", () => {
  const valid = encode([hold, merge]);
  const part = fc.oneof(
    fc.constantFrom(
      "```rmcoc\n",
      "\n```",
      "\n",
      "\r",
      "`",
      "{",
      '"data":',
      '"__proto__":',
      "[[[[",
      "1e999",
      "\ud800",
      valid,
    ),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary", maxLength: 8 }),
  );

  it("never makes it throw, and never brings in a block that was not written", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        for (const block of blocksIn(parts.join(""))) expect([hold, merge]).toContainEqual(block);
      }),
      { numRuns: 500 },
    );
  });

  it("makes nothing of a block in which any character was changed", () => {
    const text = encode([hold]);
    const json = { first: text.indexOf("{"), last: text.lastIndexOf("}") };
    fc.assert(
      fc.property(fc.integer({ min: json.first, max: json.last }), fc.string({ maxLength: 1 }), (at, unit) => {
        fc.pre(text[at] !== unit);
        const edited = text.slice(0, at) + unit + text.slice(at + 1);
        expect(read([aText(edited)])).toMatchObject({ accepted: [], refused: [{ where: "comment 100" }] });
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["rmcoc", "```rmcoc\n", "```rmcoc\n`", "```rmcoc\n{}\n```\n", "`", "[", "```rmcoc\n["])(
    "comes to the end of a megabyte of %j",
    (unit) => expect(blocksIn(`\`\`\`rmcoc\n${unit.repeat(Math.ceil(1_000_000 / unit.length))}`)).toEqual([]),
  );
});
