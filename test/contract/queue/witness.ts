import { after, type Instant } from "#core/model/instant.ts";
import type { ClaimedEntry, QueueEntry } from "#ports/queue.ts";

/**
 * Stands beside the workers, hears what they ask and what they are told, and notes what cannot be: it knows the promises
 * of the port and nothing of any implementation. Each key is put with one `whileRunning` alone.
 */
export interface Witness {
  readonly contradictions: readonly string[];
  put(entry: QueueEntry, now: Instant): void;
  take(claimed: ClaimedEntry | null, now: Instant): void;
  extend(claimed: ClaimedEntry, told: "kept" | "lost", span: { readonly now: Instant; readonly leaseMs: number }): void;
  finish(claimed: ClaimedEntry): void;
  retry(claimed: ClaimedEntry, at: Instant): void;
  cancel(key: string): void;
  /** What is still owed, whether somebody works on it or not. */
  owed(): readonly string[];
}

interface Promised {
  /** Since when, or from when on, an entry waits. */
  waits: { readonly at: Instant; readonly attempts: number } | null;
  /** Who has it, as far as anybody was told. */
  held: { readonly token: string; readonly until: Instant; readonly attempts: number } | null;
}

export function createWitness(): Witness {
  const contradictions: string[] = [];
  const tokens = new Set<string>();
  const promised = new Map<string, Promised>();
  const of = (key: string): Promised => {
    const found = promised.get(key) ?? { waits: null, held: null };
    promised.set(key, found);
    return found;
  };
  const isHolder = ({ key, token }: ClaimedEntry): boolean => of(key).held?.token === token;
  const note = (isTrue: boolean, what: string): void => {
    if (isTrue) contradictions.push(what);
  };
  return {
    contradictions,
    put: ({ key, at, whileRunning }, now) => {
      const known = of(key);
      if (known.held !== null && whileRunning === "skip") return;
      known.waits = merged(known.waits, { at: at ?? now, attempts: 0 });
    },
    take: (claimed, now) => {
      if (claimed === null) {
        for (const [key, known] of promised) note(isDue(known, now), `${key} was due and was not given`);
        return;
      }
      const { key, token, attempt, leaseUntil } = claimed;
      const known = of(key);
      note(known.held !== null && known.held.until > now, `${key} was given to two`);
      note(known.held === null && known.waits === null, `${key} was given and nobody had asked for it`);
      note(!isDue(known, now), `${key} was given too early`);
      note(tokens.has(token), `${key} was given under an old token`);
      note(attempt !== ((known.held ?? known.waits)?.attempts ?? 0) + 1, `${key} was counted as attempt ${attempt}`);
      tokens.add(token);
      if (known.held === null) known.waits = null;
      known.held = { token, until: leaseUntil, attempts: attempt };
    },
    extend: (claimed, told, { now, leaseMs }) => {
      note(isHolder(claimed) !== (told === "kept"), `${claimed.key}: an extension was answered with ${told}`);
      const { held } = of(claimed.key);
      if (held === null || !isHolder(claimed)) return;
      const until = after(now, leaseMs);
      of(claimed.key).held = { ...held, until: until > held.until ? until : held.until };
    },
    finish: (claimed) => {
      if (isHolder(claimed)) of(claimed.key).held = null;
    },
    retry: (claimed, at) => {
      if (!isHolder(claimed)) return;
      const known = of(claimed.key);
      known.waits = merged(known.waits, { at, attempts: claimed.attempt });
      known.held = null;
    },
    cancel: (key) => {
      promised.delete(key);
    },
    owed: () => [...promised].filter(([, { waits, held }]) => waits !== null || held !== null).map(([key]) => key),
  };
}

/** While somebody has it, nothing else of its key is due; when the lease is over, it is itself. */
function isDue({ waits, held }: Promised, now: Instant): boolean {
  if (held !== null) return held.until <= now;
  return waits !== null && waits.at <= now;
}

type Waits = NonNullable<Promised["waits"]>;

function merged(known: Waits | null, more: Waits): Waits {
  if (known === null) return more;
  return {
    at: known.at < more.at ? known.at : more.at,
    attempts: Math.max(known.attempts, more.attempts),
  };
}
