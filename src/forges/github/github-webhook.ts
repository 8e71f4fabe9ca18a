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
import { usualGateName } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";
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

function githubEventReader(event: string): EventReader {
  // Reviews, remarks and threads have the pull in the same place.
  return event.startsWith("pull_request") ? pullEvent : (readers.get(event) ?? "unrelated_event");
}

/** A tick for Drover's own finds nothing new. Its pushes are ticked, and others' checks on them, sent in its name. */
function isOwnActivity(
  { isBot, gateName }: { readonly isBot: (account: string) => boolean; readonly gateName: string },
  event: string,
  body: unknown,
): boolean {
  if (!deeds.has(event)) return false;
  const deed = Deed.safeParse(body);
  if (!deed.success || !isBot(String(deed.data.sender.id))) return false;
  return event !== "check_run" || deed.data.check_run?.name === gateName;
}

const deeds: ReadonlySet<string> = new Set([
  "issue_comment",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_review_thread",
  "check_run",
]);

const Deed = z.object({
  sender: z.object({ id: z.int().positive() }),
  check_run: z.object({ name: z.string() }).optional(),
});

const CommentBody = z.object({
  repository: WebhookRepository,
  issue: z.object({ number: PullNumber, pull_request: z.object({}).nullable().default(null) }),
});

/** Pulls are issues here, marked by a field of their own. */
const commentEvent: EventReader = {
  wanted: fieldTree([...repositoryFields, "issue.number", "issue.user.id", "issue.pull_request"]),
  pullsOf: (body) => {
    const found = CommentBody.safeParse(body);
    if (!found.success) return undefined;
    const { repository, issue } = found.data;
    return issue.pull_request === null ? "issue_comment" : [{ repository, number: issue.number }];
  },
};

/** GitHub lists far fewer; more numbers are none of its making. */
const checkedPullsMax = 1000;

const CheckedPull = z.object({ number: PullNumber, base: z.object({ repo: z.object({ id: z.int().positive() }) }) });
type CheckedPull = z.infer<typeof CheckedPull>;
const Check = z.object({ pull_requests: z.array(CheckedPull).max(checkedPullsMax) });

const CheckRunBody = z
  .object({ repository: WebhookRepository, check_run: Check })
  .transform(({ repository, check_run: { pull_requests: listed } }): CheckedPulls => ({ repository, listed }));
const CheckSuiteBody = z
  .object({ repository: WebhookRepository, check_suite: Check })
  .transform(({ repository, check_suite: { pull_requests: listed } }): CheckedPulls => ({ repository, listed }));
const WorkflowRunBody = z
  .object({ repository: WebhookRepository, workflow_run: Check })
  .transform(({ repository, workflow_run: { pull_requests: listed } }): CheckedPulls => ({ repository, listed }));

interface CheckedPulls {
  readonly repository: RepositoryRef;
  readonly listed: readonly CheckedPull[];
}

/**
 * A check lists the pulls of its head: none for a fork's head, several for a shared one. Within a fork they are the parent
 * repository's, whose numbers are other pulls here.
 */
function checkEvent(subject: string, Body: z.ZodType<CheckedPulls>, more: readonly string[] = []): EventReader {
  return {
    wanted: fieldTree([...repositoryFields, `${subject}.pull_requests`, ...more]),
    pullsOf: (body) => {
      const found = Body.safeParse(body);
      if (!found.success) return undefined;
      const { repository, listed } = found.data;
      const own = listed.filter(({ base }) => String(base.repo.id) === repository.id);
      const numbers = new Set(own.map(({ number }) => number));
      return numbers.size === 0 ? "no_pull_named" : [...numbers].map((number) => ({ repository, number }));
    },
  };
}

const readers: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ["issue_comment", commentEvent],
  ["check_run", checkEvent("check_run", CheckRunBody, ["check_run.name"])],
  ["check_suite", checkEvent("check_suite", CheckSuiteBody)],
  ["workflow_run", checkEvent("workflow_run", WorkflowRunBody)],
  ["workflow_job", "commit_only"],
  ["status", "commit_only"],
  ["push", "commit_only"],
  ["installation", "installation"],
  ["installation_repositories", "installation"],
  ["ping", "ping"],
]);
