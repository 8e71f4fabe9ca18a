import { describe, expect, test } from "vitest";
import { secretParts } from "#core/secrets/secret-parts.ts";

describe("what of a value is secret", () => {
  test("all of a token, without the space around it", () => {
    expect(secretParts(" tok_9fQ2xLm7\n")).toEqual({ kind: "parts", parts: ["tok_9fQ2xLm7"] });
  });

  test.each([
    ["postgres://drover:h-2x%40Lm7Zp@db.example:5432/drover", ["h-2x%40Lm7Zp", "h-2x@Lm7Zp"]],
    ["postgres://db.example/drover?user=drover&password=Lm7Zp4Rk", ["Lm7Zp4Rk"]],
    ["http://proxy.example:3128", []],
    ["postgres://drover@db.example/drover", []],
    ["postgres://drover:a%zz9Lm7Zp@db.example/drover", ["a%zz9Lm7Zp"]],
  ])("of an address the password alone: %s", (value, parts) => {
    expect(secretParts(value)).toEqual({ kind: "parts", parts });
  });

  test("of a private key what stands between its first and its last line", () => {
    const key =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA\nq83vEjRWeJ\n-----END RSA PRIVATE KEY-----\n";
    const body = { kind: "parts", parts: ["MIIEpAIBAAKCAQEA\nq83vEjRWeJ"] };
    expect(secretParts(key)).toEqual(body);
    expect(secretParts(key.replaceAll("\n", "\\n"))).toEqual(body);
  });
});

describe("a value that every second text may hold is not looked for", () => {
  test.each([
    ["s3cret!", "it has fewer than 8 characters"],
    ["abababab1", "it has fewer than 5 different characters"],
    ["password", "it is a word or a number, as other texts may hold it"],
    ["Password", "it is a word or a number, as other texts may hold it"],
    ["PASSWORD", "it is a word or a number, as other texts may hold it"],
    ["20261537", "it is a word or a number, as other texts may hold it"],
    ["postgres://postgres:postgres@127.0.0.1/drover", "it is a word or a number, as other texts may hold it"],
    ["a-‹secret›-9", "it holds what stands for a secret"],
  ])("%s", (value, why) => {
    expect(secretParts(value)).toEqual({ kind: "unfit", why });
  });

  test("a long row of small letters is", () => {
    expect(secretParts("correcthorsebatterystaple").kind).toBe("parts");
  });
});
