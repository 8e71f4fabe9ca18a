import type { Api, Endpoint } from "#forges/sandbox/call-endpoint.ts";
import { type EndpointFailure, type FailedCall, forgeError } from "#forges/sandbox/sandbox-error.ts";
import type { EndpointResponse, WirePage } from "#forges/sandbox/wire.ts";
import type { Clock } from "#ports/clock.ts";
import type { ForgeError } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export interface Caller {
  readonly api: Api;
  readonly clock: Clock;
}

export type SandboxTarget = PullRef | RepositoryRef;

export interface SandboxRequest<Params, Body> {
  readonly endpoint: Endpoint<Params, Body>;
  readonly place: SandboxTarget;
  readonly params: Params;
}

export function callRaw<Params, Body>(
  { api }: Caller,
  { endpoint, place, params }: SandboxRequest<Params, Body>,
): Promise<EndpointResponse<Body>> {
  return api.call(endpoint, "repository" in place ? place.repository : place, params);
}

export function errorOf(caller: Caller, { endpoint, place }: Call, failure: EndpointFailure): ForgeError {
  const where = "repository" in place ? `${place.repository.name}#${place.number}` : place.name;
  return forgeError({ endpoint, where, failure, clock: caller.clock });
}

type Call = Pick<FailedCall, "endpoint"> & { readonly place: SandboxTarget };

export async function call<Params, Body>(caller: Caller, request: SandboxRequest<Params, Body>): Promise<Body> {
  return (await callDated(caller, request)).body;
}

export async function callDated<Params, Body>(
  caller: Caller,
  request: SandboxRequest<Params, Body>,
): Promise<Dated<Body>> {
  const answer = await callRaw(caller, request);
  if (answer.kind === "success") return answer;
  throw errorOf(caller, request, answer);
}

type Dated<Body> = EndpointResponse<Body> & { readonly kind: "success" };

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly isCut: boolean;
}

export async function allPages<Item>(
  itemsMax: number,
  fetchPage: (page: number) => Promise<WirePage<Item>>,
  first?: WirePage<Item>,
): Promise<Listed<Item>> {
  const start = first ?? (await fetchPage(1));
  if (!start.hasNext && start.items.length <= itemsMax) return { items: start.items, isCut: false };
  const items = [...start.items];
  let hasNext = start.hasNext;
  for (let page = 2; hasNext && items.length <= itemsMax; page++) {
    const next = await fetchPage(page);
    for (const item of next.items) items.push(item);
    hasNext = next.hasNext;
  }
  return items.length > itemsMax ? { items: items.slice(0, itemsMax), isCut: true } : { items, isCut: false };
}
