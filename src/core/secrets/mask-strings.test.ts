import { expect, test } from "vitest";
import { createSecretMasker } from "#core/secrets/known-secrets.ts";
import { maskStrings } from "#core/secrets/mask-strings.ts";

const { known } = createSecretMasker([{ name: "the token", value: "tok_9fQ2xLm7Zp4R" }]);

test("data is masked in all its texts, and nowhere else", () => {
  const bytes = new Uint8Array([1, 2]);
  const data = { a: ["x tok_9fQ2xLm7Zp4R", 1, null], b: { c: "tok_9fQ2xLm7Zp4R", d: undefined }, bytes };
  const masked = maskStrings(data, known);
  expect(masked).toEqual({ a: ["x ‹secret›", 1, null], b: { c: "‹secret›", d: undefined }, bytes });
  expect(masked.bytes).toBe(bytes);
});

test("data without secrets is the same object, so that what is remembered of it holds", () => {
  const data = { a: ["x", { b: "y" }] };
  expect(maskStrings(data, known)).toBe(data);
  const half = { kept: data, told: "tok_9fQ2xLm7Zp4R" };
  expect(maskStrings(half, known).kept).toBe(data);
});
