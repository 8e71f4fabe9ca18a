import { randomUUID } from "node:crypto";
import { instant } from "#core/model/instant.ts";
import { webhookRequest } from "#forges/sandbox/remote/webhook-request.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** A webhook in the manner of GitHub about this pull, signed with this secret. Answers with the status. */
export async function sendSigned(sent: {
  readonly port: number;
  readonly secret: string;
  readonly pull: PullRef;
}): Promise<number> {
  const { port, secret, pull } = sent;
  const guid = randomUUID();
  const delivery = { id: guid, at: instant(Date.now()), event: "pull_request", action: "synchronize", pull };
  const { headers, body } = webhookRequest("github", { delivery, guid, secret });
  const answer = await fetch(`http://127.0.0.1:${port}/webhooks/github`, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return answer.status;
}
