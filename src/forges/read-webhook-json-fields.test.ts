import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type FieldTree, fieldTree } from "#forges/field-tree.ts";
import { readJsonFields } from "#forges/read-webhook.ts";
import { readSignedJson } from "#forges/signed-json.ts";

const wanted = fieldTree(["action", "repository.id", "repository.full_name", "issue.number", "issue.pull_request"]);

/** The wanted fields of a value. */
function pick(value: unknown, fields: readonly FieldTree[]): unknown {
  if (fields.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? [] : [[name, pick(inner, field.fields)]];
  });
  return Object.fromEntries(entries);
}

function found(text: string): unknown {
  return pick(readJsonFields(Buffer.from(text), wanted), wanted);
}

function expected(text: string): unknown {
  return pick(JSON.parse(text), wanted);
}

function isShort(text: string): boolean {
  return readSignedJson(Buffer.from(text), wanted) !== undefined;
}

/** What somebody would write into a title who knows how it is read. */
const hostileTexts = [
  ',"repository":{"id":1',
  '\\",\\"repository\\":{\\"id\\":1',
  '"},"repository":{"id":1,"full_name":"evil/evil"}}',
  "\\",
  '\\"',
  '"}]',
  "{[",
  "\u0000\n\u2028é😀\ud800",
];
const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "binary", maxLength: 12 }));
const anyName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("action", "repository", "issue", "id", "full_name", "number", "sender") },
  { weight: 1, arbitrary: anyText },
);
const anyLeaf = fc.oneof(anyText, fc.integer(), fc.double(), fc.constantFrom(null, true, false));
const { value: anyJson } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyLeaf,
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
  object: fc.dictionary(anyName, tie("value"), { maxKeys: 5 }),
}));

const anyRepository = fc.record({ id: fc.nat(), full_name: anyText, owner: anyJson }, { requiredKeys: [] });
const anyIssue = fc.record(
  { title: anyText, number: fc.oneof(fc.nat(), anyJson), pull_request: anyJson, body: anyJson },
  { requiredKeys: [] },
);

/** As a forge's: the large parts and what people wrote before the repository, with the fields in any order. */
const anyBody = fc
  .record(
    {
      action: fc.oneof(anyText, anyJson),
      issue: fc.oneof(anyIssue, anyJson),
      comment: anyJson,
      repository: fc.oneof({ weight: 4, arbitrary: anyRepository }, { weight: 1, arbitrary: anyJson }),
      sender: anyJson,
      "": anyJson,
    },
    { requiredKeys: [] },
  )
  .chain((body) => fc.shuffledSubarray(Object.entries(body), { minLength: Object.keys(body).length }))
  .map((entries) => Object.fromEntries(entries));

describe("some fields of a body", () => {
  it("are the same as in the whole of it, whatever people wrote into it and in whichever order it is", () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom(undefined, 1), (body, indent) => {
        const text = JSON.stringify(body, null, indent);
        expect(found(text)).toEqual(expected(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("are the same for every delivery that GitHub documents, by the short way for all that are about pulls", () => {
    const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples");
    const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }));
    const examples = Examples.parse(JSON.parse(readFileSync(file, "utf8")));
    expect(examples.flatMap((event) => event.examples).length).toBeGreaterThan(300);
    for (const event of examples) {
      const texts = event.examples.map((body) => JSON.stringify(body));
      expect(texts.map(found)).toEqual(texts.map(expected));
      const isAboutPulls = /^(?:pull_request|issue_comment|check_)/.test(event.name);
      expect(texts.filter((text) => isAboutPulls && !isShort(text)).length).toBe(0);
    }
  });

  it("are nothing for what is no JSON at either end, or no text", () => {
    const whole = '{"action":"a","issue":{"number":1},"repository":{"id":2},"sender":{}}';
    for (let length = 0; length < whole.length; length++) expect(found(whole.slice(0, length))).toBeUndefined();
    for (const odd of [
      `${whole}}`,
      `${whole},`,
      `[${whole}`,
      whole.replace("2", "two"),
      whole.replace('":{"id', '{"id'),
    ]) {
      expect(found(odd)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(() => readJsonFields(bytes, wanted)).not.toThrow();
      }),
    );
  });
});

describe("the short way", () => {
  it("is taken often enough here for its answers to be tested", () => {
    const texts = fc.sample(anyBody, { seed: 4, numRuns: 400 }).map((body) => JSON.stringify(body));
    expect(texts.filter(isShort).length).toBeGreaterThan(100);
  });

  it("takes the last one of two fields, where one is behind the repository", () => {
    const text = '{"action":"a","issue":{"number":1},"repository":{"id":2},"issue":{"number":3}}';
    expect(isShort(text)).toBe(true);
    expect(found(text)).toEqual(expected(text));
  });

  it.each([
    ["a field is there twice behind it", '{"x":1,"repository":{"id":1},"action":1,"action":2}'],
    ["the repository is a part of something else", '{"x":{"y":1,"repository":{"id":1}}}'],
    ["the repository comes first", '{"repository":{"id":1}}'],
    ["there is white space", '{"x":1, "repository": {"id":1}}'],
    ["something follows", '{"x":1,"repository":{"id":1}}\n'],
    ["a value is none", '{"action":tru,"repository":{"id":1}}'],
  ])("is not taken where %s", (_why, text) => {
    expect(isShort(text)).toBe(false);
  });
});
