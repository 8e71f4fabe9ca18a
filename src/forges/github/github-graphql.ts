import { z } from "zod";
import { isLimitSaid } from "#forges/github/github-error.ts";
import { readRetryAt } from "#forges/github/github-headers.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";

/** Always 200; errors and available data stand side by side. */
export interface GraphqlAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphqlFault[];
  readonly cost: number;
}

const GraphqlFault = z.object({
  type: z.string().catch(""),
  message: z.string().catch(""),
  path: z.array(z.union([z.string(), z.number()])).catch([]),
  /** The query is at fault, such as with a field that an older server lacks. */
  extensions: z.object({ code: z.string() }).optional().catch(undefined),
});
type GraphqlFault = z.infer<typeof GraphqlFault>;

const Envelope = z.object({
  data: z.unknown().optional(),
  errors: z.array(GraphqlFault).default([]),
  /** In place of both where the request was turned away at once. */
  message: z.string().optional().catch(undefined),
});
const Priced = z.object({ rateLimit: z.object({ cost: z.number() }) });

export function readGraphql(answer: TransportResponse): GraphqlAnswer | undefined {
  const envelope = Envelope.safeParse(answer.data);
  if (!envelope.success) return undefined;
  const { data, message } = envelope.data;
  const atTheDoor = data === undefined && message !== undefined ? [{ type: "", message, path: [] }] : [];
  const errors = [...envelope.data.errors, ...atTheDoor].filter((fault) => !isPrivate(fault));
  const priced = Priced.safeParse(data);
  return { data, errors, cost: priced.success ? priced.data.rateLimit.cost : 1 };
}

/**
 * GitHub hides requested teams and workflows from tokens that may not see them, as errors. A pull can be judged without:
 * else one such team would hide all of it.
 */
const privateFields: ReadonlySet<string | number> = new Set(["requestedReviewer", "workflowRun"]);

function isPrivate({ type, path }: GraphqlFault): boolean {
  return kinds.get(type) === "forbidden" && privateFields.has(path.at(-1) ?? "");
}

const kinds: ReadonlyMap<string, ForgeErrorKind> = new Map([
  ["NOT_FOUND", "not_found"],
  ["FORBIDDEN", "forbidden"],
  ["INSUFFICIENT_SCOPES", "forbidden"],
  ["RATE_LIMITED", "rate_limited"],
  ["RATE_LIMIT", "rate_limited"],
  ["UNPROCESSABLE", "refused"],
  ["STALE_DATA", "conflict"],
]);

const byWeight: readonly ForgeErrorKind[] = ["rate_limited", "unavailable", "forbidden", "not_found", "conflict"];

export function graphqlError(failed: {
  readonly what: string;
  readonly isWrite: boolean;
  readonly answer: TransportResponse;
  readonly read: GraphqlAnswer;
}): ForgeError | undefined {
  const { what, isWrite, answer, read } = failed;
  const [first] = read.errors;
  if (first === undefined) return undefined;
  const found = new Set(read.errors.map(kindOf));
  const kind = byWeight.find((each) => found.has(each)) ?? "refused";
  const place = first.path.length === 0 ? "" : ` (${first.path.join(".")})`;
  const advice = read.errors.some(isTooOld) ? `. ${tooOldWords}` : "";
  const words = `${first.type} ${first.message.slice(0, messageCharactersMax)}${place}${advice}`;
  return new ForgeError(kind, `github ${what}: ${words.trim()}`, {
    isApplied: isWrite && kind === "unavailable" ? "unknown" : "no",
    retryAt: kind === "rate_limited" ? readRetryAt(answer) : null,
  });
}

/** A server refuses queries with unknown parts. Bots as requested reviewers came with 3.16, by its schema; untested. */
const tooOldWords =
  "This server does not know all that Drover asks for: it takes GitHub Enterprise Server 3.16 or newer. Upgrade the server";

const schemaCodes: ReadonlySet<string> = new Set([
  "undefinedField",
  "undefinedType",
  "cannotSpreadFragment",
  "argumentNotAccepted",
]);

function isTooOld({ extensions }: GraphqlFault): boolean {
  return extensions !== undefined && schemaCodes.has(extensions.code);
}

/** Without a type a query took too long, or GitHub failed, which may pass. A secondary limit shows in its words. */
function kindOf({ type, message, extensions }: GraphqlFault): ForgeErrorKind {
  const known = kinds.get(type);
  if (known !== undefined) return known;
  if (isLimitSaid(message)) return "rate_limited";
  return extensions === undefined ? "unavailable" : "refused";
}

/** The answer of an honest server, where GitHub failed with a success. */
export function honestAnswer(answer: TransportResponse, { errors }: GraphqlAnswer): TransportResponse {
  const fault = errors.find((each) => kindOf(each) === "unavailable");
  if (fault === undefined) return answer;
  return { ...answer, status: 502, data: { message: fault.message } };
}

const messageCharactersMax = 300;
