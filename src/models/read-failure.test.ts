import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, instant } from "#core/model/instant.ts";
import { createModelClient } from "#models/model-client.ts";
import { type ModelFailure, readFailure } from "#models/read-failure.ts";

const key = "sk-very-secret-value";
const now = instant(1_800_000_000_000);
const model = createModelClient({
  provider: "openai",
  model: "gpt-5",
  baseUrl: null,
  key: { reveal: () => key },
  keyName: "OPENAI_API_KEY",
  shapes: null,
});

function read(error: unknown): ModelFailure {
  return readFailure(error, model, now);
}

function answered(statusCode: number, error: Readonly<Record<string, unknown>> = {}): unknown {
  return { statusCode, responseHeaders: {}, responseBody: JSON.stringify({ error }), message: "" };
}

describe("what went wrong", () => {
  it.each([408, 409, 500, 502, 503, 504, 529])("passes after %i", (status) => {
    expect(read(answered(status))).toMatchObject({ outcome: "unavailable", isPassing: true });
  });

  it("passes after 429, at the time that was said", () => {
    const error = { statusCode: 429, responseHeaders: { "retry-after": "12" }, responseBody: "", message: "" };
    expect(read(error)).toMatchObject({ outcome: "rate_limited", isPassing: true, retryAt: after(now, 12_000) });
  });

  it.each([
    [401, "openai/gpt-5: the key in OPENAI_API_KEY was refused (401)"],
    [403, 'openai/gpt-5: the key in OPENAI_API_KEY may not use "gpt-5" (403)'],
    [404, 'openai/gpt-5: there is no model "gpt-5" at this address (404): check the name and the address'],
    [413, "openai/gpt-5: the prompt is too large for it (413)"],
    [422, "openai/gpt-5: the request was refused (422)"],
  ])("does not pass after %i, and says what to do", (status, why) => {
    expect(read(answered(status))).toEqual({ outcome: "rejected", why, isPassing: false, retryAt: null });
  });

  it("does not pass where the account is empty, although that is a 429 as well", () => {
    const why = "openai/gpt-5: the account of the key in OPENAI_API_KEY has no credit left";
    expect(read(answered(429, { code: "insufficient_quota" }))).toMatchObject({ outcome: "rejected", why });
    expect(read(answered(429, { type: "insufficient_quota" }))).toMatchObject({ outcome: "rejected", why });
  });

  it("says why a request was refused, in one line", () => {
    const { why } = read(answered(400, { message: "prompt is too long:\n210000 tokens" }));
    expect(why).toBe("openai/gpt-5: the request was refused (400): prompt is too long: 210000 tokens");
  });

  it("passes where a connection was lost in the middle of an answer that had begun well", () => {
    const error = { statusCode: 200, message: "Failed to process successful response" };
    expect(read(error)).toMatchObject({ outcome: "unavailable", isPassing: true });
  });

  it.each([
    ["overloaded_error", "unavailable"],
    ["rate_limit_error", "rate_limited"],
    ["authentication_error", "rejected"],
    ["something_new", "unavailable"],
  ])("is read from an error of type %s in the middle of a stream", (type, outcome) => {
    expect(read({ type, message: "so it is" })).toMatchObject({ outcome });
  });

  it("passes where a stream just ended, or nobody knows what happened", () => {
    for (const error of [undefined, null, "no", 5, new TypeError("fetch failed"), {}]) {
      expect(read(error)).toMatchObject({ outcome: "unavailable", isPassing: true });
    }
  });

  it("never tells the key, whatever the error holds", () => {
    const status = fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined });
    const text = fc.tuple(fc.string(), fc.string()).map(([before, behind]) => `${before}${key}${behind}`);
    fc.assert(
      fc.property(status, text, text, (statusCode, message, said) => {
        const responseBody = JSON.stringify({ error: { message: said, type: said, code: said } });
        expect(read({ statusCode, message, responseBody }).why).not.toContain(key);
        expect(read({ message, type: said }).why).not.toContain(key);
      }),
    );
  });
});
