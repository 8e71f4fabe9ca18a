import type { Account } from "#core/model/account.ts";
import { hourMs, type Instant, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import type { EndpointResponse, WireUser } from "#forges/sandbox/wire.ts";
import { wireUser } from "#forges/sandbox/wire-user.ts";
import { type PullEntry, permissionIn, type Repository, stateAt, type World } from "#forges/sandbox/world.ts";
import type { RateLimitStatus } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export interface EndpointCall {
  readonly world: World;
  readonly asker: Account;
  readonly repository: Repository;
  /** What this call sees is as of then; earlier where the forge lags. */
  readonly at: Instant;
  readonly breaksDown: boolean;
}

export interface Endpoint<Params, Body> {
  readonly name: string;
  readonly isWrite: boolean;
  serve(call: EndpointCall, params: Params): Promise<Body> | Body;
}

export interface Api {
  call<Params, Body>(
    endpoint: Endpoint<Params, Body>,
    repository: RepositoryRef,
    params: Params,
  ): Promise<EndpointResponse<Body>>;
  getUser(): Promise<EndpointResponse<WireUser>>;
  getRepository(name: string): Promise<EndpointResponse<RepositoryRef>>;
  budget(): RateLimitStatus | null;
}

/** Objects are built in full: copying them shows in the simulation. */
export function apiOf(world: World, asker: Account): Api {
  return {
    call: (endpoint, repository, params) => {
      const { name, isWrite } = endpoint;
      return answer(world, { name, isWrite, asker, isCounted: true }, ({ at, breaksDown }) =>
        serve(endpoint, { world, asker, at, breaksDown }, { repository, params }),
      );
    },
    getUser: () => {
      const { name, isWrite } = userEndpoint;
      return answer(world, { name, isWrite, asker, isCounted: true }, async ({ at }) =>
        success(at, wireUser(world, asker)),
      );
    },
    getRepository: (wanted) => {
      const { name, isWrite } = repositoryEndpoint;
      return answer(world, { name, isWrite, asker, isCounted: true }, async ({ at }) => {
        const found = [...world.repositories.values()].find(({ ref }) => ref.name === wanted);
        const isSeen = found !== undefined && permissionIn(found, asker) !== "none";
        return isSeen ? success(at, found.ref) : refusal(404, "Not Found");
      });
    },
    budget: () => budgetOf(world, asker, world.now()),
  };
}

export type ServedView = Omit<EndpointCall, "repository">;

export interface ServedCall {
  readonly name: string;
  readonly isWrite: boolean;
  readonly account: Account;
}

/** A call in another server's protocol, with turn, faults, lag and write limit. That server counts calls itself. */
export function serveCall<Body>(
  world: World,
  { name, isWrite, account: asker }: ServedCall,
  work: (look: ServedView) => Promise<Body>,
): Promise<EndpointResponse<Body>> {
  return answer(world, { name, isWrite, asker, isCounted: false }, async ({ at, breaksDown }) => {
    try {
      return success(at, await work({ world, asker, at, breaksDown }));
    } catch (error) {
      return orRethrow(error);
    }
  });
}

export const repositoryEndpoint = { name: "get_repository", isWrite: false } as const;
export const userEndpoint = { name: "get_user", isWrite: false } as const;

interface Asked {
  readonly name: string;
  readonly isWrite: boolean;
  readonly asker: Account;
  readonly isCounted: boolean;
}

function answer<Body>(
  world: World,
  { name, isWrite, asker, isCounted }: Asked,
  service: (seen: Pick<EndpointCall, "at" | "breaksDown">) => Promise<EndpointResponse<Body>>,
): Promise<EndpointResponse<Body>> {
  const fault = world.faults({ endpoint: name, isWrite, account: asker });
  return world.inTurn(async () => {
    const date = world.now();
    const { waitMs } = isWrite ? takeWrite(world, asker, date) : noWait;
    if (waitMs > 0) return rateLimited(world, waitMs);
    const full = isCounted ? takeCall(world, asker, date) : noWait;
    if (full.waitMs > 0) return rateLimited(world, full.waitMs);
    if (fault === null) return service({ at: date, breaksDown: false });
    const unserved = answerUnserved(world, fault, isWrite);
    if (unserved !== undefined) return unserved;
    const at = fault.kind === "stale" && !isWrite ? instant(Math.max(0, date - fault.ms)) : date;
    const served = await service({ at, breaksDown: fault.kind === "server_error" });
    if (fault.kind === "lost_response" || fault.kind === "timeout") return silence;
    if (fault.kind === "server_error") return refusal(500, "Internal Server Error");
    return served.kind === "success" ? success(date, served.body) : served;
  });
}

function success<Body>(date: Instant, body: Body): EndpointResponse<Body> & { readonly kind: "success" } {
  return { kind: "success", date, body };
}

const noWait = { waitMs: 0 } as const;
const silence = { kind: "silence" } as const;

/** The call is not served. A read leaves nothing behind, so neither is one whose answer would be lost. */
function answerUnserved(world: World, fault: SandboxFault, isWrite: boolean): EndpointResponse<never> | undefined {
  switch (fault.kind) {
    case "expired_token":
      return refusal(401, "Bad credentials");
    case "rate_limited":
      return rateLimited(world, fault.retryAfterMs);
    case "server_error":
      return isWrite && fault.isApplied ? undefined : refusal(502, "Bad Gateway");
    case "timeout":
      return isWrite && fault.isApplied ? undefined : silence;
    case "lost_response":
      return isWrite ? undefined : silence;
    case "stale":
      return undefined;
    default:
      return never(fault);
  }
}

function rateLimited({ manner }: World, waitMs: number | null): EndpointResponse<never> {
  const seconds = waitMs === null ? null : Math.ceil(waitMs / secondMs);
  const status = manner === "github" ? 403 : 429;
  return { ...refusal(status, "You have exceeded a rate limit"), retryAfterSeconds: seconds };
}

function refusal(status: number, message: string): EndpointResponse<never> & { readonly kind: "refusal" } {
  return { kind: "refusal", status, message, retryAfterSeconds: null };
}

async function serve<Params, Body>(
  endpoint: Endpoint<Params, Body>,
  call: Omit<EndpointCall, "repository">,
  asked: { readonly repository: RepositoryRef; readonly params: Params },
): Promise<EndpointResponse<Body>> {
  const { world, asker, at, breaksDown } = call;
  try {
    const repository = world.repositories.get(asked.repository.id);
    if (repository === undefined || permissionIn(repository, asker) === "none") throw notFound();
    await detectPushes(world, repository);
    const body = await endpoint.serve({ world, asker, at, breaksDown, repository }, asked.params);
    return success(at, body);
  } catch (error) {
    return orRethrow(error);
  }
}

function orRethrow(error: unknown): EndpointResponse<never> {
  if (error instanceof EndpointRefusal) return refusal(error.status, error.message);
  throw error;
}

export function pullOf({ repository }: EndpointCall, number: number): PullEntry {
  const entry = repository.pulls.get(number);
  if (entry === undefined) throw notFound();
  return entry;
}

export function seenPull(call: EndpointCall, number: number): PullState {
  const state = stateAt(pullOf(call, number), call.at);
  if (state === undefined) throw notFound();
  return state;
}

function takeWrite({ quirks, writes }: World, account: Account, at: Instant): { readonly waitMs: number } {
  const { writesPerMinuteMax } = quirks;
  if (writesPerMinuteMax === null) return { waitMs: 0 };
  const recent = (writes.get(account.id) ?? []).filter((earlier) => earlier > at - minuteMs);
  const [oldest] = recent;
  if (recent.length >= writesPerMinuteMax) return { waitMs: oldest === undefined ? minuteMs : oldest + minuteMs - at };
  writes.set(account.id, [...recent, at]);
  return { waitMs: 0 };
}

function takeCall(world: World, account: Account, at: Instant): { readonly waitMs: number } {
  const budget = budgetOf(world, account, at);
  if (budget === null) return { waitMs: 0 };
  if (budget.left === 0) return { waitMs: budget.resetAt - at };
  world.calls.set(account.id, { hour: hourOf(at), count: budget.limit - budget.left + 1 });
  return { waitMs: 0 };
}

function budgetOf({ quirks, calls }: World, account: Account, at: Instant): RateLimitStatus | null {
  const limit = quirks.callsPerHourMax;
  if (limit === null) return null;
  const counted = calls.get(account.id);
  const count = counted?.hour === hourOf(at) ? counted.count : 0;
  return { limit, left: Math.max(0, limit - count), resetAt: instant((hourOf(at) + 1) * hourMs) };
}

function hourOf(at: Instant): number {
  return Math.floor(at / hourMs);
}
