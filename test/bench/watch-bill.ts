import type { SeenRequest } from "#github-like/seen-request.ts";

/** What some requests cost, as the server counted them. */
export interface Bill {
  readonly requests: number;
  /** Answered with "not modified", for nothing. */
  readonly unmodified: number;
  /** Of the limit of REST, where a request is a point. */
  readonly rest: number;
  /** Of the limit of GraphQL. */
  readonly graphql: number;
  readonly writes: number;
  /** Refused for a limit. */
  readonly refused: number;
  /** Points by what was asked for, the dearest first. */
  readonly entries: readonly BillEntry[];
}

export interface BillEntry {
  readonly name: string;
  readonly requests: number;
  readonly points: number;
}

export interface BilledRequest extends Pick<SeenRequest, "isWrite" | "status" | "resource" | "cost"> {
  readonly name: string;
}

export function billOf(requests: readonly BilledRequest[]): Bill {
  const count = (isCounted: (request: BilledRequest) => boolean): number => requests.filter(isCounted).length;
  const pointsOf = (resource: SeenRequest["resource"]): number =>
    sum(requests.filter((request) => request.resource === resource).map(({ cost }) => cost));
  return {
    requests: requests.length,
    unmodified: count(({ status }) => status === 304),
    rest: pointsOf("core"),
    graphql: pointsOf("graphql"),
    writes: count(({ isWrite }) => isWrite),
    refused: count(isRefused),
    entries: entriesOf(requests),
  };
}

/** GraphQL says it with a success, which is then the only one that costs nothing. */
function isRefused({ status, resource, cost }: BilledRequest): boolean {
  return status === 403 || status === 429 || (resource === "graphql" && status === 200 && cost === 0);
}

/**
 * The requests since the last time, reduced to what is billed. The server keeps them with their answers for tests to
 * look into; hours of them would fill the memory, so they are taken out of its list.
 */
export function takeRequests(server: { readonly requests: readonly SeenRequest[] }): readonly BilledRequest[] {
  const { requests } = server;
  const billed = requests.map((seen) => {
    const { isWrite, status, resource, cost } = seen;
    return { name: nameOf(seen), isWrite, status, resource, cost };
  });
  Reflect.set(requests, "length", 0);
  return billed;
}

function entriesOf(requests: readonly BilledRequest[]): readonly BillEntry[] {
  const byName = new Map<string, BillEntry>();
  for (const { name, cost } of requests) {
    const entry = byName.get(name) ?? { name, requests: 0, points: 0 };
    byName.set(name, { name, requests: entry.requests + 1, points: entry.points + cost });
  }
  return [...byName.values()].sort(
    (left, right) => right.points - left.points || right.requests - left.requests || (left.name < right.name ? -1 : 1),
  );
}

/** Queries have no names of their own: they are told by what they ask for. */
const queries: readonly (readonly [part: string, name: string])[] = [
  ["known0:", "open pulls, known ones by id"],
  ["pullRequests(", "open pulls, by page"],
  ["pullRequest(", "one pull"],
];

function nameOf({ endpoint, body, resource }: SeenRequest): string {
  if (resource !== "graphql") return endpoint ?? "nothing that there is";
  const text = JSON.stringify(body) ?? "";
  return queries.find(([part]) => text.includes(part))?.[1] ?? endpoint ?? "some other query";
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
