import type { Account } from "#core/model/account.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";
import type { ForgeWorld, WorldEntry } from "./world.ts";

/** Something that goes wrong with one request, and what the client has to make of it. */
export interface Trouble {
  readonly name: string;
  readonly fault: SandboxFault;
  readonly kind: ForgeErrorKind;
  /** What may be said of a write that it happened to. */
  readonly isApplied: "no" | "unknown";
  /** What became of that write in truth. */
  readonly hasHappened: boolean;
  readonly retryAfterMs: number | null;
}

const silent = { kind: "unavailable", isApplied: "unknown", retryAfterMs: null } as const;
const limited = { kind: "rate_limited", isApplied: "no", hasHappened: false } as const;

const troubles: readonly Trouble[] = [
  { name: "an answer that is lost", fault: { kind: "lost_response" }, hasHappened: true, ...silent },
  {
    name: "a server error after the fact",
    fault: { kind: "server_error", isApplied: true },
    hasHappened: true,
    ...silent,
  },
  {
    name: "a server error before the fact",
    fault: { kind: "server_error", isApplied: false },
    hasHappened: false,
    ...silent,
  },
  { name: "a timeout after the fact", fault: { kind: "timeout", isApplied: true }, hasHappened: true, ...silent },
  { name: "a timeout before the fact", fault: { kind: "timeout", isApplied: false }, hasHappened: false, ...silent },
  {
    name: "a limit with a time",
    fault: { kind: "rate_limited", retryAfterMs: 90_000 },
    ...limited,
    retryAfterMs: 90_000,
  },
  {
    name: "a limit without a time",
    fault: { kind: "rate_limited", retryAfterMs: null },
    ...limited,
    retryAfterMs: null,
  },
  {
    name: "a token that expired",
    fault: { kind: "expired_token" },
    kind: "unauthorized",
    isApplied: "no",
    hasHappened: false,
    retryAfterMs: null,
  },
];

/** Those that differ in what has become of a write, where there is no time for the others. */
const fewTroubles: ReadonlySet<string> = new Set(["an answer that is lost", "a server error before the fact"]);

export function troublesOn(entry: WorldEntry): readonly Trouble[] {
  return entry.lacks.hundreds === undefined ? troubles : troubles.filter(({ name }) => fewTroubles.has(name));
}

export interface Request {
  readonly endpoint: string;
  readonly isWrite: boolean;
}

export interface Spoilt {
  readonly outcome: { readonly kind: "answered" } | { readonly kind: "failed"; readonly error: unknown };
  readonly requests: readonly Request[];
  /** The request that it happened to; undefined where the call came to its end without that many. */
  readonly hit: Request | undefined;
}

/**
 * Makes one call of a client in which the request of this index, counted from 0, goes wrong; where the trouble lasts,
 * all that follow do as well.
 */
export async function spoil(
  {
    world,
    by,
    fault,
    index,
    isLasting = false,
  }: {
    readonly world: ForgeWorld;
    readonly by: Account;
    readonly fault: SandboxFault;
    readonly index: number;
    readonly isLasting?: boolean;
  },
  call: () => Promise<unknown>,
): Promise<Spoilt> {
  const requests: Request[] = [];
  world.meddle(({ endpoint, isWrite, account }) => {
    if (account.id !== by.id) return null;
    requests.push({ endpoint, isWrite });
    const at = requests.length - 1;
    return at === index || (isLasting && at > index) ? fault : null;
  });
  const outcome = await call().then(
    () => ({ kind: "answered" }) as const,
    (error: unknown) => ({ kind: "failed", error }) as const,
  );
  world.meddle(() => null);
  return { outcome, requests, hit: requests[index] };
}

/** The error of a call that has to have failed as the port says. */
export function forgeErrorOf({ outcome }: Spoilt): ForgeError {
  if (outcome.kind === "failed" && outcome.error instanceof ForgeError) return outcome.error;
  throw new Error("expected a ForgeError", { cause: outcome.kind === "failed" ? outcome.error : "it answered" });
}
