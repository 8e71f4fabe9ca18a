import { never } from "#core/never.ts";
import { busyResponse, type HttpResponse, jsonResponse } from "#server/http-response.ts";
import type { WebhookOutcome } from "#server/webhook-counts.ts";

type RefusedWhy = Extract<WebhookOutcome, { readonly kind: "refused" }>["why"];

/** 202 only for what was stored. A delivery that needs no tick gets 200, so that the forge's list tells them apart. */
export function webhookResponse(outcome: Exclude<WebhookOutcome, { readonly kind: "gone" }>): HttpResponse {
  switch (outcome.kind) {
    case "taken":
      return taken;
    case "ignored":
      return jsonResponse(200, { ignored: outcome.why });
    case "refused":
      return refusedAnswer(outcome.why);
    case "busy":
      return outcome.why === "memory" ? { ...busyResponse(outcome.why), isLast: true } : busyResponse(outcome.why);
    default:
      return never(outcome);
  }
}

const taken: HttpResponse = jsonResponse(202, { taken: true });

function refusedAnswer(why: RefusedWhy): HttpResponse {
  const { status, hint } = refusals[why];
  // The rest of a body that is too large is not read.
  return jsonResponse(status, { refused: why, hint }, { isLast: why === "too_large" });
}

/** Forges show these to the people who set up a hook. */
const refusals: Readonly<Record<RefusedWhy, { readonly status: number; readonly hint: string }>> = {
  unsigned: { status: 401, hint: "give the webhook a secret, the same one as in Drover's configuration" },
  bad_signature: { status: 401, hint: "the webhook's secret is none of those in Drover's configuration" },
  no_event: { status: 400, hint: "the header that names the event is missing" },
  wrong_forge: { status: 400, hint: "this forge's deliveries go to another path under /webhooks/" },
  no_such_name: { status: 400, hint: "no repository has such a name, or no pull such a number" },
  malformed: { status: 400, hint: "the body is not what an event of this name looks like" },
  content_type: { status: 415, hint: "set the webhook's content type to application/json" },
  too_large: { status: 413, hint: "no forge sends so much" },
  unknown_source: { status: 404, hint: "no forge of this kind has a webhook secret in Drover's configuration" },
};
