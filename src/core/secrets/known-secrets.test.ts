import { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretMasker } from "#core/secrets/known-secrets.ts";

const token = "tok_9fQ2xLm7Zp4Rk8Wv";
const { known } = createSecretMasker([{ name: "the token", value: token }]);

/** Each way in which a secret may come back, written without our own code. */
const encodings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  reversed: (secret) => Array.from(secret).toReversed().join(""),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  "upper hex": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 without padding": (secret) => Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  "base64 one byte on": (secret) => Buffer.from(`:${secret}.`).toString("base64"),
  "base64 two bytes on": (secret) => Buffer.from(`x:${secret},`).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  "base64url one byte on": (secret) => Buffer.from(`?${secret}`).toString("base64url"),
  "base64url two bytes on": (secret) => Buffer.from(`~?${secret}`).toString("base64url"),
  "percent-encoded": encodeURIComponent,
  "percent-encoded throughout": (secret) => Buffer.from(secret).toString("hex").replace(/../g, "%$&"),
  "JSON-escaped": (secret) => JSON.stringify(secret).slice(1, -1),
  "escaped throughout": (secret) =>
    Array.from({ length: secret.length }, (_, at) => `\\u${secret.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  entities: (secret) => Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join(""),
  spaced: (secret) => Array.from(secret).join(" "),
  "with zero widths": (secret) => Array.from(secret).join("\u200b"),
  wrapped: (secret) => secret.replace(/.{7}/gsu, "$&\r\n  "),
  "with selectors and tags": (secret) => Array.from(secret).join("\ufe0f\u{e0061}"),
  wide: (secret) => secret.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  "wrapped base64": (secret) => Buffer.from(secret).toString("base64").replace(/.{6}/g, "$&\n"),
};

describe.each(Object.entries(encodings))("a secret that is %s", (_name, encode) => {
  test("is gone, wherever it stands", () => {
    fc.assert(
      fc.property(aSecret, anyText, anyText, (secret, before, after) => {
        const written = encode(secret);
        const masked = createSecretMasker([{ name: "it", value: secret }]).known.mask(before + written + after);
        expect(leftOf(written, masked, [before, after])).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

/** Kept in ASCII and beyond it, and of the kind that is looked for at all. */
const aSecret = fc
  .string({
    unit: fc.constantFrom(...Array.from("aB3dE6gH9jK2mN5pQ8sT+/=_-.~!$&%\"'\\{}éß漢😀\ufe0f")),
    minLength: 8,
    maxLength: 60,
  })
  .filter((secret) => createSecretMasker([{ name: "it", value: secret }]).unfit.length === 0)
  // At the ends nothing of it would be left but a sign that nobody sees.
  .filter((secret) => !/^\ufe0f|\ufe0f$/.test(secret))
  .filter((secret) => !/^[A-Za-z][\w+.-]*:\/\//.test(secret));

const anyText = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: "binary", maxLength: 60 }));

/** What of it can still be read in a row of five, and was not in the text around it. */
function leftOf(written: string, masked: string, around: readonly string[]): readonly string[] {
  const bare = withoutSpace(written);
  const seen = withoutSpace(masked);
  const others = around.map(withoutSpace);
  const rows = Array.from({ length: bare.length - 4 }, (_, at) => bare.slice(at, at + 5));
  return [...new Set(rows)].filter(
    (row) => countOf(row, seen) > others.reduce((sum, text) => sum + countOf(row, text), 0),
  );
}

function withoutSpace(text: string): string {
  return text.replace(/\s|\u200b|\ufe0f|\u{e0061}/gu, "");
}

function countOf(row: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(row); at !== -1; at = text.indexOf(row, at + 1)) count++;
  return count;
}

describe("what is not a secret", () => {
  test("a text without secrets is unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(known.mask(text)).toBe(text);
      }),
    );
  });

  test("doing it again changes nothing", () => {
    const bits = fc.constantFrom(
      token,
      token.slice(0, 15),
      token.slice(3),
      "\\",
      "%",
      "&",
      "\n",
      "‹secret›",
      "‹",
      "›",
      "x",
    );
    const encoded = fc.constantFrom(...Object.values(encodings).map((encode) => encode(token)));
    fc.assert(
      fc.property(fc.array(fc.oneof(bits, encoded), { maxLength: 12 }), (texts) => {
        const once = known.mask(texts.join(""));
        expect(known.mask(once)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(texts.join("").length);
      }),
    );
  });

  test("what is left of a text around a secret stays as it was, with all its lines", () => {
    expect(known.mask(`one\n  ${token}: two\nthree`)).toBe("one\n  ‹secret›: two\nthree");
    expect(known.mask(`one ${token.slice(0, 10)}\n${token.slice(10)} two`)).toBe("one ‹secret›\n two");
  });
});

describe("a private key", () => {
  const { privateKey: key } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const lines = key.trim().split("\n").slice(1, -1);
  const inVariable = key.replaceAll("\n", "\\n");

  test.each([key, inVariable])("is masked as a whole, in JSON, in base64, and each line of it", (value) => {
    const keys = createSecretMasker([{ name: "the App's key", value }]).known;
    const base64 = Buffer.from(key).toString("base64");
    const texts = [key, JSON.stringify(key), key.replaceAll("\n", "\r\n"), base64, ...lines.map((line) => `> ${line}`)];
    for (const text of texts) {
      const masked = keys.mask(text);
      expect(lines.flatMap((line) => leftOf(line, masked, []))).toEqual([]);
      expect(leftOf(Buffer.from(lines.join("\n")).toString("base64").slice(0, -4), masked, [])).toEqual([]);
    }
  });

  test("leaves the first and the last line alone, which are those of every key", () => {
    const keys = createSecretMasker([{ name: "the App's key", value: key }]).known;
    const text = "-----BEGIN PRIVATE KEY-----\n(yours)\n-----END PRIVATE KEY-----";
    expect(keys.mask(text)).toBe(text);
    expect(keys.mask(key)).toMatch(/^-----BEGIN PRIVATE KEY-----\n‹secret›\s+-----END PRIVATE KEY-----\n$/);
  });
});

test("half of a long secret is masked too, and what it shares with others of its kind is not", () => {
  const key = "sk-ant-api03-Vq8Zr2Tn6Yc1Xw5Lb9Mj3Hd7Gf4Ks0Pa";
  const keys = createSecretMasker([{ name: "the model's key", value: key }]).known;
  expect(keys.mask(`It is ${key.slice(13, 33)} and so on.`)).toBe("It is ‹secret› and so on.");
  expect(keys.mask("Keys begin with sk-ant-api03-.")).toBe("Keys begin with sk-ant-api03-.");
});

test("a key in hex is found as the base64 of its bytes", () => {
  const hex = "8f14e45fceea167a5a36dedd4bea2543b6d767d2f8ed5d21a44b0e5886680cb9";
  const keys = createSecretMasker([{ name: "DROVER_SECRET", value: hex }]).known;
  const masked = keys.mask(`x ${Buffer.from(hex, "hex").toString("base64url")} y`);
  expect(masked).toMatch(/^x ‹secret›.? y$/);
});

test("what stands beside a masked secret is not taken for another one together with it", () => {
  const keys = createSecretMasker([{ name: "it", value: "hX9-2fQ7‹" }]).known;
  expect(keys.mask("hX9-2fQ7hX9-2fQ7‹")).toBe("hX9-2fQ7‹secret›");
});

test("a backslash before an escaped secret hides nothing", () => {
  const short = "aB3-dE6g";
  const escaped = Array.from(short, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`).join("");
  const keys = createSecretMasker([{ name: "it", value: short }]).known;
  expect(keys.mask(`\\${escaped}`)).toBe("\\‹secret›");
  expect(keys.mask(`a\\\\B3-dE6g ${escaped}`)).toBe("a\\\\B3-dE6g ‹secret›");
  expect(keys.mask("aB3\\-dE6g")).toBe("‹secret›");
});
