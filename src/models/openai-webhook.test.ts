import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, type Instant, instant, minuteMs } from "#core/model/instant.ts";
import { createOpenaiWebhook } from "#models/openai-webhook.ts";
import type { WebhookRequest } from "#ports/webhook-source.ts";

const now = instant(1_800_000_000_000);
const secret = `whsec_${Buffer.from("a secret of enough bytes").toString("base64")}`;
const other = `whsec_${Buffer.from("another one, just as long").toString("base64")}`;
const ended = JSON.stringify({ type: "batch.completed", data: { id: "batch_1" } });

interface Sketch {
  readonly body?: string;
  readonly at?: Instant;
  readonly with?: string;
  readonly sent?: string;
}

function signed({ body = ended, at = now, with: key = secret, sent = body }: Sketch = {}): WebhookRequest {
  const time = String(Math.floor(at / 1000));
  const bytes = Buffer.from(key.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", bytes).update(`msg_1.${time}.${body}`).digest("base64");
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  return { headers, body: new TextEncoder().encode(sent) };
}

const hook = createOpenaiWebhook([secret]);

describe("a delivery of OpenAI", () => {
  it.each(["completed", "failed", "expired", "cancelled"])("tells that a batch is %s", (end) => {
    const body = JSON.stringify({ type: `batch.${end}`, data: { id: "batch_1" } });
    expect(hook.read(signed({ body }), now)).toEqual({ kind: "ended", batch: "batch_1" });
  });

  it("is refused without a signature", () => {
    expect(hook.read({ ...signed(), headers: {} }, now)).toEqual({ kind: "refused", why: "unsigned" });
  });

  it("is refused when it is signed with another secret, or over other bytes", () => {
    const wrong = { kind: "refused", why: "bad_signature" };
    expect(hook.read(signed({ with: other }), now)).toEqual(wrong);
    expect(hook.read(signed({ sent: ended.replace("batch_1", "batch_2") }), now)).toEqual(wrong);
  });

  it("is taken with either of two secrets while one replaces the other", () => {
    const both = createOpenaiWebhook([other, secret]);
    expect([both.read(signed(), now).kind, both.read(signed({ with: other }), now).kind]).toEqual(["ended", "ended"]);
  });

  it("is taken when one of several signatures fits", () => {
    const request = signed();
    const headers = {
      ...request.headers,
      "webhook-signature": `v1,AAAA ${String(request.headers["webhook-signature"])}`,
    };
    expect(hook.read({ ...request, headers }, now).kind).toBe("ended");
  });

  it("is refused when it is older, or from further ahead, than five minutes", () => {
    const old = { kind: "refused", why: "too_old" };
    expect(hook.read(signed({ at: instant(now - 6 * minuteMs) }), now)).toEqual(old);
    expect(hook.read(signed({ at: after(now, 6 * minuteMs) }), now)).toEqual(old);
    expect(hook.read(signed({ at: instant(now - 4 * minuteMs) }), now).kind).toBe("ended");
  });

  it("is ignored when it is about something else", () => {
    const body = JSON.stringify({ type: "response.completed", data: { id: "resp_1" } });
    expect(hook.read(signed({ body }), now)).toEqual({ kind: "ignored", why: "unrelated_event" });
  });

  it.each(["", "no JSON", "{}", '{"type":"batch.completed"}', '{"type":"batch.completed","data":{"id":"../x y"}}'])(
    "is refused when it is signed and says nothing that can be understood: %s",
    (body) => {
      expect(hook.read(signed({ body }), now)).toEqual({ kind: "refused", why: "malformed" });
    },
  );

  it("never makes its reader throw", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("webhook-id", "webhook-timestamp", "webhook-signature"), fc.string()),
        fc.uint8Array(),
        (headers, body) => {
          expect(hook.read({ headers, body }, now).kind).toBe("refused");
        },
      ),
    );
  });

  it("needs a secret that is one", () => {
    expect(() => createOpenaiWebhook(["whsec_"])).toThrow("whsec_");
  });
});
