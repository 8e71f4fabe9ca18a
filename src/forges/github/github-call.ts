import type { z } from "zod";
import type { TokenScope, Tokens } from "#forges/github/github-access.ts";
import type { Budgets, GithubSpent } from "#forges/github/github-budget.ts";
import { forgeError, isSuccess, malformed } from "#forges/github/github-error.ts";
import type { Etags } from "#forges/github/github-etags.ts";
import { type GraphqlAnswer, graphqlError, honestAnswer, readGraphql } from "#forges/github/github-graphql.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { repeatRead } from "#forges/github/github-repeat.ts";
import type { Answer, Answered, Outgoing, Send } from "#forges/github/github-transport.ts";
import type { Clock } from "#ports/clock.ts";
import type { ForgeError } from "#ports/forge.ts";

/** What the client calls with. */
export interface Caller {
  readonly tokens: Tokens;
  readonly sendRest: Send;
  readonly sendGraphql: Send;
  readonly budgets: Budgets;
  readonly etags: Etags;
  readonly clock: Clock;
  readonly onSpent: (spent: GithubSpent) => void;
}

interface Asked extends TokenScope {
  /** `acme/tools#12`. */
  readonly where: string;
  /** `create comment`. */
  readonly name: string;
  /**
   * A `read` is repeated where nothing came back. A `write` is sent once. A `look` is a read on the way to a write, and
   * sent once as well: whoever asked for the write decides what becomes of it.
   */
  readonly manner: "read" | "look" | "write";
}

export interface RestAsked<Shape extends z.ZodType> extends Asked, Pick<Outgoing, "method" | "path" | "params"> {
  readonly shape: Shape;
}

export interface GraphqlAsked<Shape extends z.ZodType> extends Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly shape: Shape;
}

export interface Reply<Body> {
  readonly body: Body;
  readonly answer: Answered;
}

/** Calls REST; everything but a success is an error. */
export async function callRest<Shape extends z.ZodType>(
  caller: Caller,
  asked: RestAsked<Shape>,
): Promise<z.infer<Shape>> {
  const answer = await askRest(caller, asked);
  if (!isSuccess(answer)) throw errorOf(asked, answer);
  return readBody(asked, answer.data);
}

/** The answer as it came, for whoever makes something of a refusal. Trouble with the token is an error. */
export async function askRest(caller: Caller, asked: Omit<RestAsked<z.ZodType>, "shape">): Promise<Answer> {
  const { method, path, params } = asked;
  const isRead = asked.manner !== "write";
  return await attempt(caller, asked, async (token) => {
    const url = JSON.stringify([path, params]);
    const kept = isRead ? caller.etags.find(token, url) : undefined;
    const headers = { ...authorization(token), ...(kept === undefined ? {} : { "if-none-match": kept.etag }) };
    const answer = await caller.sendRest({ method, path, params, headers, timeoutMs: timeoutOf(asked) });
    const isNotModified = answer.kind === "answered" && answer.status === 304;
    note(caller, answer, { api: "rest", call: asked.name, points: isNotModified ? 0 : 1, isNotModified });
    if (answer.kind === "silence" || !isRead) return answer;
    if (answer.status === 304 && kept !== undefined) return { ...answer, status: 200, data: kept.data };
    const etag = answer.headers["etag"];
    if (isSuccess(answer) && etag !== undefined) {
      caller.etags.keep(token, url, { etag: String(etag), data: answer.data });
    }
    return answer;
  });
}

/** Calls GraphQL. An error in any part is an error of the whole: a part that is missing must not look like an empty one. */
export async function callGraphql<Shape extends z.ZodType>(
  caller: Caller,
  asked: GraphqlAsked<Shape>,
): Promise<Reply<z.infer<Shape>>> {
  const isWrite = asked.manner === "write";
  const { query, variables } = asked;
  let read: GraphqlAnswer | undefined;
  const answer = await attempt(caller, asked, async (token) => {
    const sent = await caller.sendGraphql({
      method: "POST",
      path: "/graphql",
      params: { query, variables },
      headers: authorization(token),
      timeoutMs: timeoutOf(asked),
    });
    read = isSuccess(sent) ? readGraphql(sent) : undefined;
    note(caller, sent, { api: "graphql", call: asked.name, points: read?.cost ?? 1, isNotModified: false });
    return isSuccess(sent) && read !== undefined ? honestAnswer(sent, read) : sent;
  });
  if (!isSuccess(answer)) throw errorOf(asked, answer);
  if (read === undefined) throw malformed(whatOf(asked), isWrite, answer.data);
  const error = graphqlError({ what: whatOf(asked), isWrite, answer, read });
  if (error !== undefined) throw error;
  return { body: readBody(asked, read.data), answer };
}

export function errorOf(asked: Pick<Asked, "where" | "name" | "manner">, answer: Answer): ForgeError {
  return forgeError({ what: whatOf(asked), isWrite: asked.manner === "write", answer });
}

/** Sends with a token, a read as often as that may help. */
async function attempt(caller: Caller, asked: Asked, sendWith: SendWith): Promise<Answer> {
  if (asked.manner !== "read") return (await sendOnce(caller, asked, sendWith)).answer;
  let hasRenewed = false;
  let last: Answer = neverAsked;
  await repeatRead(caller.clock, async () => {
    last = neverAsked;
    let sent = await sendOnce(caller, asked, sendWith);
    if (sent.isRenewable && !hasRenewed) {
      hasRenewed = true;
      sent = await sendOnce(caller, asked, sendWith);
    }
    last = sent.answer;
    const isPassing = last.kind === "silence" || last.status >= 500;
    if (isPassing) throw errorOf(asked, last);
  }).catch((error: unknown) => {
    // What became of the last attempt is for the caller to judge; that there is no token is an error by itself.
    if (last === neverAsked) throw error;
  });
  return last;
}

type SendWith = (token: string) => Promise<Answer>;

const neverAsked: Answer = { kind: "silence", cause: null };

/** A token that was refused is not used again. */
async function sendOnce(
  { tokens, budgets }: Caller,
  asked: Asked,
  sendWith: SendWith,
): Promise<{ readonly answer: Answer; readonly isRenewable: boolean }> {
  const token = await tokens.tokenFor(asked);
  const answer = await sendWith(token.value);
  if (answer.kind === "answered") budgets.hear(answer);
  const isRefused = answer.kind === "answered" && answer.status === 401;
  return { answer, isRenewable: isRefused && token.drop() };
}

function note({ onSpent }: Caller, answer: Answer, spent: GithubSpent): void {
  if (answer.kind === "answered") onSpent(spent);
}

function authorization(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

function timeoutOf({ manner }: Asked): number {
  return manner === "read" ? githubLimits.readTimeoutMs : githubLimits.writeTimeoutMs;
}

function whatOf({ where, name }: Pick<Asked, "where" | "name">): string {
  return `${where}: ${name}`;
}

function readBody<Shape extends z.ZodType>(asked: Asked & { readonly shape: Shape }, data: unknown): z.infer<Shape> {
  const found = asked.shape.safeParse(data);
  if (!found.success) throw malformed(whatOf(asked), asked.manner === "write", found.error);
  return found.data;
}
