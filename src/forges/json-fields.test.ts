import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCompactJson } from "#forges/compact-json.ts";
import { type FieldTree, fieldTree } from "#forges/field-tree.ts";
import { readJsonFields } from "#forges/json-fields.ts";

const wanted = fieldTree(["a", "b.a", "b.c", "c.a.b"]);

/** The wanted fields of what the whole text says; undefined where it is no JSON. This is what must come out. */
function expected(bytes: Uint8Array): readonly unknown[] {
  const whole = pick(parseWhole(bytes), wanted);
  return found(bytes).map(() => whole);
}

function parseWhole(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

function pick(value: unknown, fields: readonly FieldTree[]): unknown {
  if (fields.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? [] : [[name, pick(inner, field.fields)]];
  });
  return Object.fromEntries(entries);
}

/** Also by the short way alone, where it has an answer. */
function found(bytes: Uint8Array): readonly unknown[] {
  const short = readCompactJson(Buffer.from(bytes), wanted);
  return [pick(readJsonFields(bytes, wanted), wanted), ...(short === undefined ? [] : [short])];
}

/** Names that are wanted, that look like it, and that spell the same in another way. */
const anyKey = fc.constantFrom('"a"', '"b"', '"c"', '"aa"', '""', '"\\u0061"', '"b\\u0000"', '"\\"a"', '"__proto__"');
const anyText = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u00e9\\n"', '"{\\"a\\":1}"', '"a\\\\"', '"\\\\\\"b\\":{"', '"\\ud800"', '"\\x"', '"\t"', '"é😀"'),
);
const anyNumber = fc.constantFrom("0", "-0", "7", "-12", "1.5", "1e3", "12345678901234567890", "007", "-", ".5", "1.");
const anyScalar = fc.oneof(anyText, anyNumber, fc.constantFrom("true", "false", "null", "tru", "NaN", "undefined", ""));
const anyGap = fc.oneof(
  { weight: 30, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n", ",") },
);

const { value: anyValue } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, anyScalar, tie("object"), tie("array")),
  object: fc
    .array(fc.tuple(anyKey, anyGap, tie("value")), { maxLength: 5 })
    .map((fields) => `{${fields.map(([key, gap, inner]) => `${key}:${gap}${inner}`).join(",")}}`),
  array: fc
    .tuple(fc.array(tie("value"), { maxLength: 4 }), anyGap)
    .map(([elements, gap]) => `[${elements.join(",")}${gap}]`),
}));
const anyObject = fc
  .array(fc.tuple(anyKey, anyValue), { maxLength: 6 })
  .map((fields) => `{${fields.map(([key, inner]) => `${key}:${inner}`).join(",")}}`);

function nestedArrays(depth: number): Uint8Array {
  return Buffer.from(`{"x":${"[".repeat(depth)}${"]".repeat(depth)},"a":1}`);
}

describe("some fields of a body", () => {
  it("are the same as in the whole of it, for JSON with look-alikes, doubles, escapes and mistakes", () => {
    fc.assert(
      fc.property(fc.oneof(anyObject, anyValue), (text) => {
        const bytes = Buffer.from(text);
        expect(found(bytes)).toEqual(expected(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it("are the same for plain JSON, written with and without white space", () => {
    const anyName = fc.constantFrom("a", "b", "c", "d");
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constantFrom(null, true, []));
    const json = fc.oneof(leaf, fc.dictionary(anyName, fc.oneof(leaf, fc.dictionary(anyName, leaf))));
    fc.assert(
      fc.property(fc.dictionary(anyName, json), fc.constantFrom(0, 2), (content, indent) => {
        const bytes = Buffer.from(JSON.stringify(content, null, indent));
        expect(found(bytes)).toEqual(expected(bytes));
      }),
      { numRuns: 300 },
    );
  });

  it("are the same when bytes were lost, doubled or changed", () => {
    const anyCut = fc.record({ at: fc.nat(), length: fc.nat({ max: 3 }), put: fc.uint8Array({ maxLength: 3 }) });
    fc.assert(
      fc.property(anyObject, anyCut, (text, cut) => {
        const whole = Buffer.from(text);
        const at = cut.at % (whole.length + 1);
        const changed = Buffer.concat([whole.subarray(0, at), cut.put, whole.subarray(at + cut.length)]);
        expect(found(changed)).toEqual(expected(changed));
        const truncated = whole.subarray(0, at);
        expect(found(truncated)).toEqual(expected(truncated));
      }),
      { numRuns: 1200 },
    );
  });

  it("are the same for what is no text at all", () => {
    const cutCharacter = Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d]);
    const odd = fc.constantFrom(cutCharacter, Buffer.from("\uFEFF{}"), Buffer.alloc(0));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), odd), (bytes) => {
        expect(found(bytes)).toEqual(expected(bytes));
      }),
    );
  });

  it("are the same however deep the rest goes", () => {
    for (const depth of [10, 62, 63, 64, 65, 66, 10_000]) {
      const bytes = nestedArrays(depth);
      expect(found(bytes)).toEqual(expected(bytes));
    }
    for (const depth of [10, 61, 62, 63, 64, 65, 66]) {
      const bytes = Buffer.from(`{"b":{"a":${'{"b":'.repeat(depth)}1${"}".repeat(depth)}}}`);
      expect(found(bytes)).toEqual(expected(bytes));
    }
  });
});

describe("the short way", () => {
  it("is taken often enough here for its answers to be tested", () => {
    const texts = fc.sample(anyObject, { seed: 4, numRuns: 400 });
    const taken = texts.filter((text) => readCompactJson(Buffer.from(text), wanted) !== undefined);
    expect(taken.length).toBeGreaterThan(80);
  });

  it("is taken for JSON as machines write it", () => {
    const text = '{"x":[{"a":1},"\\"a\\":2",-3,true,false,null,{},[]],"a":"é\\n","b":{"b":{"a":4},"a":5},"c":6}';
    expect(readCompactJson(Buffer.from(text), wanted)).toEqual({ a: "é\n", b: { a: 5 }, c: 6 });
  });

  it.each([
    ["a wanted field is there twice", '{"a":1,"a":2}'],
    ["an object of wanted fields is there twice", '{"b":{"a":1},"b":{}}'],
    ["a key beside a wanted one has an escape", '{"\\u0061":1}'],
    ["there is white space", '{"a": 1}'],
    ["a number is unusual", '{"x":1.5}'],
    ["something follows", '{"a":1}{}'],
    ["it is no object", "[1]"],
    ["a string has a control character", '{"x":"\u0001"}'],
    ["an escape is none", '{"x":"\\y"}'],
  ])("is not taken where %s", (_why, text) => {
    expect(readCompactJson(Buffer.from(text), wanted)).toBeUndefined();
  });
});
