import { z } from "zod";
import { after, type Instant, secondMs } from "#core/model/instant.ts";
import { callError, cutMessage, type FailedForgeCall, kindOfStatus, unreadableAnswer } from "#forges/call-error.ts";
import type { TransportResponse, TransportResult } from "#forges/gitea/gitea-transport.ts";
import type { ForgeError } from "#ports/forge.ts";

export function forgeError(call: FailedForgeCall<Headers>): ForgeError {
  return callError(call, { forge: "gitea", kindOf: ({ status }) => kindOfStatus(status), retryAtOf, messageOf });
}

export function malformedResponse(what: string, isWrite: boolean, cause: unknown): ForgeError {
  return unreadableAnswer(`gitea ${what}`, isWrite, cause);
}

export function isStatus(answer: TransportResult, status: number): answer is TransportResponse {
  return answer.kind === "answered" && answer.status === status;
}

/** Seconds, or a date: its distance to the answer's own date holds here too. */
function retryAtOf({ headers, heardAt }: TransportResponse): Instant | null {
  const said = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(said)) return after(heardAt, Number(said) * secondMs);
  const until = Date.parse(said);
  const date = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(until)) return null;
  return after(heardAt, Math.max(0, until - (Number.isNaN(date) ? heardAt : date)));
}

const Said = z.object({
  message: z.string().catch(""),
  errors: z.array(z.string()).catch([]),
});

export function messageOf(data: unknown): string {
  const said = Said.safeParse(data);
  if (!said.success) return "";
  const { message, errors } = said.data;
  return cutMessage(errors.length === 0 ? message : `${message}: ${errors.join("; ")}`);
}
