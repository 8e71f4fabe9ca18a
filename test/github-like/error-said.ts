import type { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { EndpointFailure } from "#forges/sandbox/sandbox-error.ts";
import { type Said, Unprocessable } from "#github-like/rest/route.ts";

const documentation = "https://docs.github.com/rest";

export function errorSaid(status: number, message: string): Said {
  return { status, body: { message, documentation_url: documentation, status: String(status) } };
}

/** A refusal in GitHub's words. Most 422s list what is wrong as objects, those about reviews as plain words. */
export function refusedSaid(refusal: EndpointRefusal, { hasPlainErrors }: { readonly hasPlainErrors: boolean }): Said {
  const { status, message } = refusal;
  if (status !== 422) return errorSaid(status, message);
  const isListed = refusal instanceof Unprocessable;
  const words = isListed ? refusal.errors : [message];
  const errors = hasPlainErrors ? words : words.map((word) => (typeof word === "string" ? toError(word) : word));
  const headline = isListed ? message : hasPlainErrors ? "Unprocessable Entity" : "Validation Failed";
  return { status, body: { message: headline, errors, documentation_url: documentation, status: String(status) } };
}

function toError(message: string): object {
  return { resource: "Request", field: "data", code: "custom", message };
}

/** What the network, a limit or a broken server says in place of an answer. */
export function troubleSaid(
  failure: EndpointFailure & { readonly kind: "refusal" },
  { limitStatus }: { readonly limitStatus: 403 | 429 },
): Said {
  const { status, message, retryAfterSeconds } = failure;
  // A gateway that lost its server speaks HTML.
  if (status === 502)
    return {
      status,
      body: Buffer.from("<html><title>Unicorn!</title></html>"),
      headers: { "content-type": "text/html" },
    };
  if (status === 500) return { status, body: { message: "Server Error" } };
  const isLimit = message.includes("rate limit");
  const words = isLimit ? secondaryLimit : message;
  const headers = retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
  return { ...errorSaid(isLimit ? limitStatus : status, words), headers };
}

const secondaryLimit = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";

export const primaryLimit = "API rate limit exceeded for this token.";
