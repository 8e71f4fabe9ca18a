import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { Check, Reaction } from "#core/model/conversation.ts";
import { CommentId, HeadSha, ReviewId, ThreadId } from "#core/model/ids.ts";
import { callForge } from "#forges/sandbox/remote/forge-handlers.ts";
import { FaultAsked, type OrderedFaults } from "#forges/sandbox/remote/ordered-faults.ts";
import { personHelp } from "#forges/sandbox/remote/person-help.ts";
import { BadRpcRequest, findRpcHandler, type RpcHandler, rpcHandler } from "#forges/sandbox/remote/rpc-handler.ts";
import { gateNameHeader, RemarkShape, VerdictShape } from "#forges/sandbox/remote/rpc-schema.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export interface ServeSandboxOptions {
  readonly sandbox: Sandbox;
  readonly tokens: ReadonlyMap<string, Account>;
  readonly port: number;
  readonly faults?: PersonCall["faults"];
}

export interface ServedSandbox {
  readonly url: string;
  /** Calls that are being served are served to their end. */
  close(): Promise<void>;
}

/** For this machine, with a bearer token: `POST /forge/<method of the port>`, and `POST /person/<deed>` for people. */
export async function serveSandbox(parts: ServeSandboxOptions): Promise<ServedSandbox> {
  const server = createServer((request, response) => {
    answer(parts, request).then(
      (said) => reply(response, said),
      () => reply(response, brokenDown),
    );
  });
  server.keepAliveTimeout = idleMsMax;
  const port = await listen(server, parts.port);
  return {
    url: `http://${loopback}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Other machines have no business here: tokens and answers travel in the open. */
const loopback = "127.0.0.1";

/** Longer than the clients', so that they close what they do not need. */
const idleMsMax = 15_000;

/** A review with all its remarks fits in many times over. */
const requestBytesMax = 32 * 1024 * 1024;

interface Said {
  readonly status: number;
  readonly body: string;
  readonly isText?: boolean;
}

function readGateName({ headers }: IncomingMessage): string | undefined {
  const name = headers[gateNameHeader];
  return typeof name === "string" ? decodeURIComponent(name) : undefined;
}

const brokenDown: Said = { status: 500, body: "the sandbox broke down\n" };

async function answer({ sandbox, tokens, faults }: ServeSandboxOptions, request: IncomingMessage): Promise<Said> {
  const [, family, name, ...rest] = (request.url ?? "").split("/");
  const isForge = family === "forge";
  if (request.method !== "POST" || (!isForge && family !== "person")) return nothingHere;
  if (name === undefined || rest.length > 0) return nothingHere;
  const account = tokens.get(readToken(request));
  if (account === undefined) return { status: 401, body: "no such token\n" };
  if (!isForge && name === "help") {
    return {
      status: 200,
      body: personHelp({ url: `http://${request.headers.host ?? loopback}`, token: readToken(request), sandbox }),
      isText: true,
    };
  }
  const body = await readBody(request);
  if (body === undefined) return { status: 413, body: `more than ${requestBytesMax} bytes\n` };
  try {
    const asked = readJson(body);
    const told = isForge
      ? await callForge(sandbox, { account, method: name, asked, gateName: readGateName(request) })
      : await callPerson(sandbox, { account, deed: name, asked, faults });
    return { status: 200, body: `${JSON.stringify(told ?? null)}\n` };
  } catch (error) {
    if (error instanceof BadRpcRequest) return { status: 400, body: `${error.message}\n` };
    // People are told what the forge forbids; to a program an unknown error is a bug.
    if (!isForge && error instanceof Error) return { status: 422, body: `${error.message}\n` };
    throw error;
  }
}

const nothingHere: Said = { status: 404, body: "there is POST /forge/<method> and POST /person/<deed>\n" };

function readToken({ headers }: IncomingMessage): string {
  return /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("a request is read as bytes");
    bytes += chunk.byteLength;
    if (bytes > requestBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadRpcRequest("this is no JSON", { cause });
  }
}

/** A client that hung up gets no response; its request has happened all the same. */
function reply(response: ServerResponse, { status, body, isText = status !== 200 }: Said): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
    "content-length": String(Buffer.byteLength(body)),
  });
  response.end(body);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: loopback, port, exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the sandbox has no port"));
      else resolve(address.port);
    });
  });
}

interface PersonCall {
  readonly account: Account;
  readonly deed: string;
  readonly asked: unknown;
  readonly faults?: Pick<OrderedFaults, "order"> | undefined;
}

/** Repositories by name and pulls by number, so that a line of `curl` is enough. */
async function callPerson(sandbox: Sandbox, { account, deed, asked, faults }: PersonCall): Promise<unknown> {
  const serve = findRpcHandler(doors, deed);
  const program = sandbox.clientOf(account);
  const find: Somebody["find"] = async ({ repository }) => program.fetchRepository(repository);
  return serve({ sandbox, person: sandbox.as(account), find, faults }, asked);
}

interface Somebody {
  readonly sandbox: Sandbox;
  readonly person: SandboxPerson;
  readonly find: (place: { readonly repository: string }) => Promise<RepositoryRef>;
  readonly faults: PersonCall["faults"];
}

const InRepository = z.strictObject({ repository: z.string().min(1) });
const OnPull = InRepository.extend({ pull: z.number().int().positive() });
const Push = InRepository.extend({
  branch: z.string().min(1),
  files: z.record(z.string(), z.string().nullable()),
  message: z.string().min(1),
});
const Opening = InRepository.extend({
  branch: z.string().min(1),
  base: z.string().min(1).default("main"),
  title: z.string().min(1),
  body: z.string().default(""),
  isDraft: z.boolean().default(false),
});
const Edit = OnPull.extend({
  change: z.strictObject({
    title: z.string().min(1).exactOptional(),
    body: z.string().exactOptional(),
    isDraft: z.boolean().exactOptional(),
    state: z.enum(["open", "closed"]).exactOptional(),
    labels: z.array(z.string()).exactOptional(),
  }),
});
const Review = OnPull.extend({
  event: VerdictShape,
  body: z.string().default(""),
  remarks: z.array(RemarkShape).default(() => []),
});
const OnComment = OnPull.extend({ comment: CommentId });
const OnThread = OnPull.extend({ thread: ThreadId });
const Reacting = OnPull.extend({ content: Reaction.shape.content });
const Report = InRepository.extend({ commit: HeadSha, name: z.string().min(1), state: Check.shape.state });

const doors: Readonly<Record<string, RpcHandler<Somebody>>> = {
  push: rpcHandler(Push, async ({ person, find }, { files, branch, message, ...place }) =>
    person.push({ repository: await find(place), branch, changes: files, message }),
  ),
  openPull: rpcHandler(Opening, async ({ person, find }, asked) =>
    person.openPull({ ...asked, repository: await find(asked) }),
  ),
  editPull: rpcHandler(Edit, async ({ person, find }, asked) =>
    person.editPull(await pullOf(find, asked), asked.change),
  ),
  comment: rpcHandler(OnPull.extend({ body: z.string().min(1) }), async ({ person, find }, asked) =>
    person.comment(await pullOf(find, asked), asked.body),
  ),
  editComment: rpcHandler(OnComment.extend({ body: z.string().min(1) }), async ({ person, find }, asked) =>
    person.editComment(await pullOf(find, asked), asked.comment, asked.body),
  ),
  deleteComment: rpcHandler(OnComment, async ({ person, find }, asked) =>
    person.deleteComment(await pullOf(find, asked), asked.comment),
  ),
  reply: rpcHandler(OnThread.extend({ body: z.string().min(1) }), async ({ person, find }, asked) =>
    person.reply(await pullOf(find, asked), asked.thread, asked.body),
  ),
  resolveThread: rpcHandler(OnThread, async ({ person, find }, asked) =>
    person.resolveThread(await pullOf(find, asked), asked.thread),
  ),
  dismissReview: rpcHandler(OnPull.extend({ review: ReviewId }), async ({ person, find }, asked) =>
    person.dismissReview(await pullOf(find, asked), asked.review),
  ),
  forcePush: rpcHandler(
    InRepository.extend({ branch: z.string().min(1), to: HeadSha }),
    async ({ person, find }, asked) =>
      person.forcePush({ repository: await find(asked), branch: asked.branch, to: asked.to }),
  ),
  rebase: rpcHandler(OnPull, async ({ person, find }, asked) => person.rebase(await pullOf(find, asked))),
  review: rpcHandler(Review, async ({ person, find }, { event, body, remarks, ...place }) =>
    person.review(await pullOf(find, place), { event, body, remarks }),
  ),
  react: rpcHandler(Reacting, async ({ person, find }, asked) =>
    person.react(await pullOf(find, asked), asked.content),
  ),
  unreact: rpcHandler(Reacting, async ({ person, find }, asked) =>
    person.unreact(await pullOf(find, asked), asked.content),
  ),
  merge: rpcHandler(OnPull, async ({ person, find }, asked) => person.merge(await pullOf(find, asked))),
  report: rpcHandler(Report, async ({ person, find }, { commit, name, state, ...place }) =>
    person.report({ repository: await find(place), commit, name, state }),
  ),
  fault: rpcHandler(FaultAsked, async ({ faults }, asked) => {
    if (faults === undefined) throw new BadRpcRequest("faults cannot be ordered here");
    return faults.order(asked);
  }),
  look: rpcHandler(OnPull, async ({ sandbox, find }, asked) => sandbox.look(await pullOf(find, asked))),
};

async function pullOf(
  find: Somebody["find"],
  place: { readonly repository: string; readonly pull: number },
): Promise<PullRef> {
  return { repository: await find(place), number: place.pull };
}
