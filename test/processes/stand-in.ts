import { createHash, createHmac } from "node:crypto";
import { appendFileSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { HeadSha, RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import { type FetchedPull, type Forge, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/**
 * A server that does what the oracle wants to see with as little as possible, for trying the oracle and the killing
 * themselves. `sound` writes down what it accepts and looks before it writes; the others each leave one of these out.
 */
const Settings = z.object({
  STAND_IN: z.enum(["sound", "forgetful", "repeating"]),
  PORT: z.coerce.number(),
  FORGE_URL: z.string(),
  DROVER_SANDBOX_TOKEN: z.string(),
  DROVER_WEBHOOK_SECRET: z.string(),
  DATA: z.string(),
});
type Settings = z.infer<typeof Settings>;

const Body = z.object({
  repository: z.object({ id: z.number(), full_name: z.string() }),
  pull_request: z.object({ number: z.number() }).optional(),
  issue: z.object({ number: z.number() }).optional(),
});

await serve(Settings.parse(process.env));

async function serve(settings: Settings): Promise<void> {
  const clock = { now: () => instant(Date.now()), sleep: (ms: number) => sleep(ms) };
  const forge = createRemoteSandbox({ url: settings.FORGE_URL, token: settings.DROVER_SANDBOX_TOKEN, clock });
  const journal = openJournal(settings);
  const server = createServer((request, response) => {
    takeIn(request, { settings, journal }).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  server.listen(settings.PORT, "127.0.0.1", () => process.stdout.write("ready\n"));
  for (;;) {
    const pull = journal.next();
    if (pull === undefined) await sleep(10);
    else await tend(forge, pull, settings).catch(sayTrouble);
  }
}

function sayTrouble(error: unknown): void {
  if (!(error instanceof ForgeError)) throw error;
  process.stdout.write(`${error.message}\n`);
}

async function takeIn(
  request: IncomingMessage,
  { settings, journal }: { readonly settings: Settings; readonly journal: Journal },
): Promise<number> {
  const { body, signature } = await readRequest(request);
  if (signature !== `sha256=${hmac(body, settings.DROVER_WEBHOOK_SECRET)}`) return 401;
  const pull = readPull(body);
  if (pull !== undefined) journal.add(pull);
  return 202;
}

function hmac(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

async function readRequest(request: IncomingMessage): Promise<{ readonly body: string; readonly signature: unknown }> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return { body, signature: request.headers["x-hub-signature-256"] };
}

function readPull(text: string): PullRef | undefined {
  const { repository, pull_request, issue } = Body.parse(JSON.parse(text));
  const number = (pull_request ?? issue)?.number;
  if (number === undefined) return undefined;
  return { repository: { id: RepositoryId.parse(String(repository.id)), name: repository.full_name }, number };
}

interface Journal {
  add(pull: PullRef): void;
  next(): PullRef | undefined;
}

/** Everything is looked at once more after a start: nothing says what of it was done. */
function openJournal({ STAND_IN, DATA }: Settings): Journal {
  mkdirSync(DATA, { recursive: true });
  const path = join(DATA, "journal");
  const isKept = STAND_IN !== "forgetful" && existsSync(path);
  const lines = isKept ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  const waiting = new Map<string, PullRef>(lines.map((line) => [line, readLine(line)]));
  const file = openSync(path, "a");
  return {
    add: (pull) => {
      const line = `${pull.repository.id} ${pull.repository.name} ${pull.number}`;
      if (STAND_IN !== "forgetful") {
        appendFileSync(file, `${line}\n`);
        fsyncSync(file);
      }
      waiting.set(line, pull);
    },
    next: () => {
      const [first] = waiting;
      if (first === undefined) return undefined;
      waiting.delete(first[0]);
      return first[1];
    },
  };
}

function readLine(line: string): PullRef {
  const [id, name = "", number] = line.split(" ");
  return { repository: { id: RepositoryId.parse(id), name }, number: Number(number) };
}

async function tend(forge: Forge, pull: PullRef, { STAND_IN }: Settings): Promise<void> {
  const seen = await forge.fetchPull(pull);
  const head = HeadSha.parse(seen.pull.head.sha);
  const isBlind = STAND_IN === "repeating";
  const says = (kind: string, subject: string) =>
    `<!-- drover:${kind} x -->\n${mark(kind, pull, subject)}\nHead ${head}.`;
  const review = says("review general", head);
  if (isBlind || !seen.reviews.some(({ body }) => body === review)) {
    await forge.submitReview({ pull, head, event: "comment", body: review, remarks: [] });
  }
  const managed = says("managed", "");
  const mine = findManaged(seen);
  if (isBlind || mine === undefined) await forge.createComment({ pull, body: managed });
  else if (mine.body !== managed) await forge.editComment({ pull, comment: mine.id, body: managed });
  for (const { id, body } of seen.comments) {
    if (body.startsWith("@drover ")) await forge.addReaction({ pull, comment: id, content: "+1" });
  }
  await forge.setGate({ pull, head, state: "success", words: "seen" });
}

function findManaged({ comments }: FetchedPull): FetchedPull["comments"][number] | undefined {
  return comments.find(({ body }) => body.startsWith("<!-- drover:managed "));
}

function mark(kind: string, { number }: PullRef, subject: string): string {
  const hex = createHash("sha256").update(`${kind} ${number} ${subject}`).digest("hex").slice(0, 32);
  return `<!-- drover:effect ${hex} -->`;
}
