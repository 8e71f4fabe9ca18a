import { z } from "zod";
import { fieldTree } from "#forges/field-tree.ts";
import {
  type Envelope,
  type EventReader,
  headerOf,
  readWebhook,
  type SignedWebhookSettings,
} from "#forges/read-webhook.ts";
import { signingKeys } from "#forges/signature.ts";
import { pullEvent, repositoryFields, WebhookRepository } from "#forges/webhook-body.ts";
import { PullNumber } from "#forges/webhook-names.ts";
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

/** By the fine word. `pull_request…` holds the pull, except in comments; so do unknown words that begin like this. */
function giteaEventReader(event: string): EventReader {
  const reader = readers.get(event);
  if (reader !== undefined) return reader;
  if (event.startsWith("pull_request")) return pullEvent;
  return commitWord.test(event) ? "commit_only" : "unrelated_event";
}

/** A tick for Drover's own comment or review would find nothing new; its pushes are ticked. */
function isOwnActivity(isAccount: (id: string) => boolean, event: string, body: unknown): boolean {
  if (!deed.test(event)) return false;
  const done = Deed.safeParse(body);
  return done.success && isAccount(String(done.data.sender.id));
}

const deed = /^(?:issue_comment|pull_request_comment|pull_request_review_(?:approved|rejected|comment))$/;

/** Gitea's own Actions have a number below zero. */
const Deed = z.object({ sender: z.object({ id: z.int() }) });

/** `pull_request_comment` is coarse for a review and fine for a conversation comment, so never mix them. */
function fineWord(coarse: string): string {
  return fineWords.get(coarse) ?? coarse;
}

const fineWords: ReadonlyMap<string, string> = new Map([
  ["pull_request_approved", "pull_request_review_approved"],
  ["pull_request_rejected", "pull_request_review_rejected"],
  ["pull_request_comment", "pull_request_review_comment"],
]);

const CommentBody = z.object({
  repository: WebhookRepository,
  issue: z.object({ number: PullNumber }),
  is_pull: z.boolean(),
});

const commentEvent: EventReader = {
  wanted: fieldTree([...repositoryFields, "issue.number", "issue.user.id", "is_pull"]),
  pullsOf: (body) => {
    const found = CommentBody.safeParse(body);
    if (!found.success) return undefined;
    const { repository, issue, is_pull: isPull } = found.data;
    return isPull ? [{ repository, number: issue.number }] : "issue_comment";
  },
};

/** A test delivery is a push. */
const readers: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ["issue_comment", commentEvent],
  ["pull_request_comment", commentEvent],
]);

/** Newer versions send runs and jobs of Actions; Forgejo has a name for each outcome. */
const commitWord = /^(?:status|push|workflow_run|workflow_job|action_run)(?:_|$)/;
