import type { z } from "zod";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { Repository } from "#forges/sandbox/world.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import { mustFindPull, mustFindRepository, type PullSight, type Sight } from "#gitea-like/sight.ts";

/** One operation of the API. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the swagger file writes it, below `/api/v1`. */
  readonly path: string;
  /** By which the sandbox's source of faults knows it. */
  readonly name: string;
  /** Whether it leaves something behind. */
  readonly isWrite: boolean;
  /** Which scope a token needs, to read or to write by the method; null: it is told to everybody. */
  readonly scope: "repository" | "issue" | "user" | "organization" | null;
  /** Refused where the repository is an archive. Reviews and statuses are not. */
  readonly needsLife?: true;
  /** The minor version that brought it. */
  readonly since?: number;
  serve(sight: Sight, asked: Asked): Promise<Said> | Said;
}

export interface Asked {
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Of this request, below the root of the server. */
  readonly path: string;
}

export interface Said {
  readonly status: number;
  /** Undefined: nothing. Bytes go out as they are. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): Said {
  return { status: 200, body };
}

export function created(body: unknown): Said {
  return { status: 201, body };
}

export const nothing: Said = { status: 204, body: undefined };

export function param(params: Asked["params"], name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the path has no ${name}`);
  return value;
}

/** What is not a number is 0 there, and names nothing. */
export function numberParam({ params }: Asked, name: string): number {
  const number = Number(param(params, name));
  return Number.isSafeInteger(number) ? number : 0;
}

export function repositoryAsked(sight: Sight, { params }: Asked): Promise<Repository> {
  return mustFindRepository(sight, `${param(params, "owner")}/${param(params, "repo")}`);
}

export async function pullAsked(sight: Sight, asked: Asked): Promise<PullSight> {
  return mustFindPull(sight, await repositoryAsked(sight, asked), numberParam(asked, "index"));
}

/** A body that does not read is a 422, whatever the matter with it. */
export function readBody<Shape>(shape: z.ZodType<Shape>, { body }: Asked): Shape {
  const read = shape.safeParse(body ?? {});
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new EndpointRefusal(422, `[${first?.path.join(".") ?? ""}]: ${first?.message ?? "Required"}`);
}

/** A thing of a list by its number. */
export function mustFind<Item extends { readonly id: string | number }>(items: readonly Item[], id: number): Item {
  const found = items.find((item) => String(item.id) === String(id));
  if (found === undefined) throw new NotFound();
  return found;
}
