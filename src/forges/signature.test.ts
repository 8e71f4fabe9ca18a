import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSigned, signingKeys } from "#forges/signature.ts";

function sign(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

const body = Buffer.from('{"action":"opened"}');
const keys = signingKeys(["old secret", "new secret"]);

describe("a signature", () => {
  it("counts when it was made with any of the secrets", () => {
    expect(isSigned({ body, hex: sign(body, "old secret"), keys })).toBe(true);
    expect(isSigned({ body, hex: sign(body, "new secret").toUpperCase(), keys })).toBe(true);
  });

  it("does not count when it was made with another secret, or without one", () => {
    expect(isSigned({ body, hex: sign(body, "secret"), keys })).toBe(false);
    expect(isSigned({ body, hex: sign(body, ""), keys })).toBe(false);
  });

  it("does not count for any other bytes", () => {
    fc.assert(
      fc.property(fc.nat({ max: body.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = Buffer.from(body);
        other[at] = (other[at] ?? 0) ^ change;
        expect(isSigned({ body: other, hex: sign(body, "old secret"), keys })).toBe(false);
      }),
    );
  });

  it("is refused without an exception whatever was sent in its place", () => {
    const good = sign(body, "old secret");
    const near = fc.constantFrom(
      good.slice(1),
      `${good}0`,
      `${good} `,
      `0x${good}`,
      `${good}, ${good}`,
      "é".repeat(64),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (hex) => {
        expect(isSigned({ body, hex, keys })).toBe(false);
      }),
    );
  });
});

describe("secrets", () => {
  it("are mandatory", () => {
    expect(() => signingKeys([])).toThrow("webhooks need a secret");
    expect(() => signingKeys(["a secret", ""])).toThrow("a webhook's secret is empty");
  });
});
