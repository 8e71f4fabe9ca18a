import { githubEventReader, isOwnActivity } from "#forges/github/github-webhook-events.ts";
import { type Envelope, headerOf, readWebhook, type SignedWebhookSettings } from "#forges/read-webhook.ts";
import { signingKeys } from "#forges/signature.ts";
import { usualGateName } from "#ports/forge.ts";
import type { WebhookRequest, WebhookSource } from "#ports/webhook-source.ts";

/** Throws where there is no secret to check deliveries with. */
export function createGithubWebhook(
  settings: SignedWebhookSettings & {
    readonly gateName?: string | undefined;
  },
): WebhookSource {
  const { isBot = () => false, gateName = usualGateName } = settings;
  const keys = signingKeys(settings.secrets);
  const isOwn = (event: string, body: unknown): boolean => isOwnActivity({ isBot, gateName }, event, body);
  return {
    manner: "github",
    instance: settings.instance,
    read: (request) =>
      readWebhook({ request, envelope: envelopeOf(request), keys, readerOf: githubEventReader, isOwn }),
  };
}

/** Gitea and Forgejo send the same headers next to their own, but the numbers in their bodies are not GitHub's. */
function envelopeOf(request: WebhookRequest): Envelope {
  const signature = headerOf(request, "x-hub-signature-256");
  return {
    signature: signature?.startsWith(signaturePrefix) === true ? signature.slice(signaturePrefix.length) : undefined,
    event: headerOf(request, "x-github-event"),
    delivery: headerOf(request, "x-github-delivery"),
    isForeign: request.headers["x-gitea-event"] !== undefined,
  };
}

const signaturePrefix = "sha256=";
