import type { z } from "zod";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { Need } from "#github-like/rights.ts";
import type { Sight } from "#github-like/sight.ts";

/** One operation of the REST API. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the OpenAPI description writes it. */
  readonly path: string;
  /** By which the sandbox's source of faults knows it. */
  readonly name: string;
  /** Whether it leaves something behind. */
  readonly isWrite: boolean;
  /**
   * Any of these is enough for the token of an installation; `app`: the App itself asks, with a JWT;
   * `nobody`: no token is needed.
   */
  readonly needs: readonly Need[] | "app" | "nobody";
  serve(sight: Sight, asked: Asked): Promise<Said> | Said;
}

export interface Asked {
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly accept: string;
  readonly token: string;
}

export interface Said {
  readonly status: number;
  /** Undefined: nothing. Bytes go out as they are. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal with the list of what is wrong, as 422s have it. */
export class Unprocessable extends EndpointRefusal {
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[], message = "Validation Failed") {
    super(422, message);
    this.errors = errors;
  }
}

export function ok(body: unknown): Said {
  return { status: 200, body };
}

export function created(body: unknown): Said {
  return { status: 201, body };
}

export const nothing: Said = { status: 204, body: undefined };

/** `owner/name` of the path. */
export function repositoryName({ params }: Asked): string {
  return `${param(params, "owner")}/${param(params, "repo")}`;
}

export function param(params: Asked["params"], name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the path has no ${name}`);
  return value;
}

/** What is not a number names nothing. */
export function numberParam({ params }: Asked, name: string): number {
  const number = Number(param(params, name));
  if (!Number.isSafeInteger(number)) throw new EndpointRefusal(404, "Not Found");
  return number;
}

export function readBody<Shape>(shape: z.ZodType<Shape>, { body }: Asked): Shape {
  const read = shape.safeParse(body ?? {});
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    resource: "Request",
    field: path.join("."),
    code: "custom",
    message,
  }));
  throw new Unprocessable(errors);
}
