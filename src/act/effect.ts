import type { RecordUpdate } from "#core/effects/record-update.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { ForgeErrorKind } from "#ports/forge.ts";
import type { Obligation } from "#ports/store.ts";

/** Sending one of these again would be seen. */
export const onceKinds = [
  "acknowledgement",
  "hint",
  "answer",
  "dispute_reply",
  "dismissal",
  "completion",
  "escalation",
  "managed_comment",
  "notes",
  "review",
  "remarks",
  "closing",
  "session_reply",
  "session_report",
  "merge",
] as const;

/** Sending one of these again changes nothing. */
export const stateKinds = [
  "reaction",
  "gate",
  "managed_edit",
  "notes_edit",
  "answer_edit",
  "escalation_edit",
  "review_edit",
  "superseded_mark",
  "dismissed_review",
  "resolved_thread",
  "discarded_review",
  "blanked",
  "review_request",
  "notice",
] as const;

export type EffectKind = (typeof onceKinds)[number] | (typeof stateKinds)[number];

export interface Effect {
  /** Within the pull; the same key is the same effect. */
  readonly key: string;
  readonly kind: EffectKind;
  readonly lane: string;
  readonly head: HeadSha | null;
  readonly why: Obligation["why"];
  readonly note: RecordUpdate;
}

export type EffectOutcome =
  /** `result` is the forge's id of it. `wasThere`: it was done before, and nothing was sent now. */
  | { readonly kind: "done"; readonly result: string | null; readonly wasThere?: true }
  /** It may be on its way, another worker has the lease, or the forge named a time. */
  | { readonly kind: "later"; readonly at: Instant; readonly why: string }
  | { readonly kind: "refused"; readonly error: ForgeErrorKind; readonly at: Instant };
