import type { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { EndpointFailure } from "#forges/sandbox/sandbox-error.ts";
import { Bare, NotFound } from "#gitea-like/refusals.ts";
import type { Said } from "#gitea-like/rest/route.ts";
import type { Site } from "#gitea-like/site.ts";

type Place = Pick<Site, "url" | "version">;

export function errorSaid({ url }: Place, status: number, message: string): Said {
  return { status, body: { message, url: `${url}/api/swagger` } };
}

/** A refusal as it is written. Before 1.26, what is not there has a list of errors as well. */
export function refusedSaid(place: Place, refusal: EndpointRefusal): Said {
  if (refusal instanceof Bare) return { status: refusal.status, body: undefined };
  const { status } = refusal;
  // Of its own mistakes a server in production tells nothing.
  if (status === 500) return errorSaid(place, status, "");
  if (status !== 404) return errorSaid(place, status, refusal.message);
  return notFoundSaid(place, refusal instanceof NotFound ? refusal.what : null);
}

export function notFoundSaid(place: Place, what: string | null): Said {
  const { url, version } = place;
  if (version.isFrom(26)) return errorSaid(place, 404, what ?? "not found");
  const message = version.isFrom(23) ? "not found" : "The target couldn't be found.";
  return { status: 404, body: { errors: what === null ? null : [what], message, url: `${url}/api/swagger` } };
}

/** What the network, a proxy or a broken server says in place of an answer. */
export function troubleSaid(
  place: Place,
  { status, message, retryAfterSeconds }: EndpointFailure & { kind: "refusal" },
): Said {
  if (status === 502) {
    const body = Buffer.from("<html><head><title>502 Bad Gateway</title></head></html>");
    return { status, body, headers: { "content-type": "text/html" } };
  }
  if (status === 500) return errorSaid(place, status, "");
  // Gitea has no limits; a proxy in front of it may.
  if (status === 429) {
    const headers = {
      "content-type": "text/plain",
      ...(retryAfterSeconds !== null && { "retry-after": String(retryAfterSeconds) }),
    };
    return { status, body: Buffer.from("Too Many Requests"), headers };
  }
  return errorSaid(place, status, status === 401 ? badToken : message);
}

export const badToken = "user does not exist [uid: 0, name: ]";
