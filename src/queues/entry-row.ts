import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import { keyCharsMax, priorityMax, type QueueEntry } from "#ports/queue.ts";

export interface EntryRow {
  readonly key: string;
  readonly payload: string;
  readonly priority: number;
  readonly origin: OriginText;
}

export function entryRowOf({
  key,
  payload,
  priority,
  origin,
}: Pick<QueueEntry, "key" | "payload" | "priority" | "origin">): EntryRow {
  if (!Number.isInteger(priority) || priority < 1 || priority > priorityMax) {
    throw new Error(`the priority of a queue entry must be 1 to ${priorityMax}, not ${priority}`);
  }
  return { key: entryKeyText(key), payload: payloadText(payload), priority, origin: origin ?? originText(null) };
}

/** PostgreSQL's text takes neither U+0000 nor half a surrogate pair: what JSON escapes stays escaped. */
export function entryKeyText(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  if (text.length > keyCharsMax)
    throw new Error(`the key of a queue entry is too long: ${text.slice(0, keyCharsMax)}…`);
  return text;
}

export function readEntryKeyText(text: string): string {
  return String(JSON.parse(`"${text}"`));
}

function payloadText(payload: unknown): string {
  // The types of JSON.stringify leave out that it may answer undefined.
  const text: string | undefined = JSON.stringify(payload);
  if (text === undefined) throw new Error("the payload of a queue entry must be plain JSON");
  return text;
}
