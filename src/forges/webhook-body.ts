import { z } from "zod";
import { RepositoryId } from "#core/model/ids.ts";
import { fieldTree } from "#forges/field-tree.ts";
import type { EventReader } from "#forges/read-webhook.ts";
import { PullNumber, RepositoryName } from "#forges/webhook-names.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

/** All forges spell these alike; checked to fit store and log. */
export const WebhookRepository = z
  .object({ id: z.int().positive(), full_name: RepositoryName })
  .transform(({ id, full_name: name }): RepositoryRef => ({ id: RepositoryId.parse(String(id)), name }));

export const repositoryFields: readonly string[] = ["action", "repository.id", "repository.full_name", "sender.id"];

const PullBody = z.object({ repository: WebhookRepository, pull_request: z.object({ number: PullNumber }) });

/** In the repository of its base. */
export const pullEvent: EventReader = {
  wanted: fieldTree([...repositoryFields, "pull_request.number", "pull_request.user.id"]),
  pullsOf: (body) => {
    const found = PullBody.safeParse(body);
    return found.success ? [{ repository: found.data.repository, number: found.data.pull_request.number }] : undefined;
  },
};

const opened = z.object({ user: z.object({ id: z.int() }) }).optional();
const OpenedBody = z.object({ pull_request: opened, issue: opened });

/** Where the event says so. It only decides with whose pulls this one shares its turns. */
export function findAuthor(body: unknown): string | undefined {
  const found = OpenedBody.safeParse(body).data;
  const author = found?.pull_request?.user.id ?? found?.issue?.user.id;
  return author === undefined ? undefined : String(author);
}
