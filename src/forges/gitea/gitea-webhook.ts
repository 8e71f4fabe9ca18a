import { fineWord, giteaEventReader, isOwnActivity } from "#forges/gitea/gitea-webhook-events.ts";
import { type Envelope, headerOf, readWebhook, type SignedWebhookSettings } from "#forges/read-webhook.ts";
import { signingKeys } from "#forges/signature.ts";
import type { WebhookRequest, WebhookSource } from "#ports/webhook-source.ts";

/** Of Gitea and Forgejo. Throws without a secret. */
export function createGiteaWebhook(settings: SignedWebhookSettings): WebhookSource {
  const { isBot = () => false } = settings;
  const keys = signingKeys(settings.secrets);
  const isOwn = (event: string, body: unknown): boolean => isOwnActivity(isBot, event, body);
  return {
    manner: "gitea",
    instance: settings.instance,
    read: (request) => readWebhook({ request, envelope: envelopeOf(request), keys, readerOf: giteaEventReader, isOwn }),
  };
}

/** Bare hex, empty without a secret. Gitea sends GitHub's headers too: a delivery with only those is GitHub's. */
function envelopeOf(request: WebhookRequest): Envelope {
  if (["event", "signature"].every((name) => ownHeader(request, name) === undefined)) return githubEnvelope(request);
  return {
    signature: ownHeader(request, "signature"),
    event: eventOf(request),
    delivery: ownHeader(request, "delivery"),
    isForeign: false,
  };
}

/** Forgejo sends both, with the same values. */
const ownPrefixes = ["x-gitea-", "x-forgejo-"] as const;

function ownHeader(request: WebhookRequest, name: string): string | undefined {
  return ownPrefixes.map((prefix) => headerOf(request, prefix + name)).find((value) => value !== undefined);
}

/** The fine word where there is one. Up to 1.22 the coarse one of statuses and packages is empty. */
function eventOf(request: WebhookRequest): string | undefined {
  const fine = ownHeader(request, "event-type");
  if (fine !== undefined && fine !== "") return fine;
  const coarse = ownHeader(request, "event");
  return coarse === undefined ? undefined : fineWord(coarse);
}

const githubSignature = /^sha256=(?<hex>.+)$/;

function githubEnvelope(request: WebhookRequest): Envelope {
  const event = headerOf(request, "x-github-event");
  const signature = githubSignature.exec(headerOf(request, "x-hub-signature-256") ?? "")?.groups?.["hex"];
  return { signature, event, delivery: undefined, isForeign: event !== undefined };
}
