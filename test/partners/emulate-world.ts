import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { createSystemClock } from "#app/system-clock.ts";
import { HeadSha, RepositoryId } from "#core/model/ids.ts";
import type { AnsweredJson } from "#forge-like/answered-json.ts";
import { createGithubClient, type GithubAccess } from "#forges/github/github-client.ts";
import { permissionsFor } from "#forges/github/github-rights.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { WebhookRequest } from "#ports/webhook-source.ts";
import { startEmulate } from "./emulate-process.ts";

/**
 * GitHub as somebody else has written it down. Mia owns a private repository and another one; Drover is an App that is
 * installed at hers, and at otto's with fewer rights. People act by plain requests, past our client.
 */
export interface EmulateWorld {
  readonly url: string;
  readonly access: AppAccess;
  clientWith(access: GithubAccess): Forge;
  /** As mia. */
  ask(method: string, path: string, body?: object): Promise<Answer>;
  openPull(): Promise<{ readonly pull: PullRef; readonly head: HeadSha }>;
  /** The first webhook of this event in whose body this stands; it may come at any time after its cause. */
  deliveryOf(event: string, text: string): Promise<WebhookRequest>;
  close(): Promise<void>;
}

type AppAccess = Extract<GithubAccess, { readonly kind: "app" }>;

export interface Answer {
  readonly status: number;
  readonly body: AnsweredJson;
}

export const webhookSecret = "a secret of the App";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});

const app = { id: 4170, installation: 17 } as const;

/** Another App with the same key, for whoever wants to list more installations than a page has. */
export const popularApp = {
  id: 4171,
  installations: Array.from({ length: 130 }, (_, index) => ({
    installation_id: 1000 + index,
    account: `fan-${index}`,
  })),
};

function seedOf(webhookUrl: string): object {
  const permissions = { ...permissionsFor.talk, ...permissionsFor.change, checks: "write", issues: "write" };
  const fans = popularApp.installations.map(({ account }) => ({ login: account }));
  return {
    tokens: { "token-of-mia": { login: "mia", scopes: ["repo", "admin:repo_hook"] } },
    github: {
      users: [{ login: "mia" }, { login: "otto" }, { login: "eve" }, { login: "drover[bot]" }, ...fans],
      repos: [
        { owner: "mia", name: "tools", private: true, auto_init: true },
        { owner: "mia", name: "other", private: true, auto_init: true },
        { owner: "otto", name: "talk", private: true, auto_init: true },
        { owner: "eve", name: "foreign", private: true, auto_init: true },
      ],
      apps: [
        {
          app_id: app.id,
          slug: "drover",
          name: "Drover",
          private_key: privateKey,
          permissions,
          events: ["issue_comment", "pull_request", "pull_request_review", "check_run"],
          webhook_url: webhookUrl,
          webhook_secret: webhookSecret,
          installations: [
            { installation_id: app.installation, account: "mia" },
            { installation_id: app.installation + 1, account: "otto", permissions: permissionsFor.look },
          ],
        },
        {
          app_id: popularApp.id,
          slug: "popular",
          name: "Popular",
          private_key: privateKey,
          permissions: {},
          installations: popularApp.installations,
        },
      ],
    },
  };
}

export async function openEmulateWorld(): Promise<EmulateWorld> {
  const receiver = await receive();
  const emulate = await startEmulate(seedOf(receiver.url));
  const clock = createSystemClock();
  const ask: EmulateWorld["ask"] = async (method, path, body) => {
    const response = await fetch(`${emulate.url}${path}`, {
      method,
      headers: { authorization: "Bearer token-of-mia", "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  let opened = 0;
  return {
    url: emulate.url,
    access: { kind: "app", appId: String(app.id), privateKey, installation: null },
    clientWith: (access) => createGithubClient({ url: emulate.url, access, clock }),
    ask,
    openPull: async () => openPull(ask, (opened += 1)),
    deliveryOf: async (event, text) => {
      for (;;) {
        const found = receiver.deliveries.find(
          ({ headers, body }) => headers["x-github-event"] === event && Buffer.from(body).includes(text),
        );
        if (found !== undefined) return found;
        await sleep(glanceMs);
      }
    },
    close: async () => {
      await emulate.stop();
      await receiver.close();
    },
  };
}

/** What never comes fails the test by its time limit. */
const glanceMs = 10;

const Opened = z.object({
  number: z.number(),
  head: z.object({ sha: HeadSha }),
  base: z.object({ repo: z.object({ id: z.coerce.string().pipe(RepositoryId), full_name: z.string() }) }),
});

async function openPull(ask: EmulateWorld["ask"], count: number): ReturnType<EmulateWorld["openPull"]> {
  const branch = `change-${count}`;
  const base = await ask("GET", "/repos/mia/tools/git/ref/heads/main");
  await ask("POST", "/repos/mia/tools/git/refs", { ref: `refs/heads/${branch}`, sha: base.body.object.sha });
  const content = Buffer.from(`change ${count}\n`).toString("base64");
  await ask("PUT", `/repos/mia/tools/contents/change-${count}.txt`, { message: "A change", content, branch });
  const made = await ask("POST", "/repos/mia/tools/pulls", { title: "A change", head: branch, base: "main" });
  const { number, head, base: into } = Opened.parse(made.body);
  return { pull: { repository: { id: into.repo.id, name: into.repo.full_name }, number }, head: head.sha };
}

interface Receiver {
  readonly url: string;
  readonly deliveries: readonly WebhookRequest[];
  close(): Promise<void>;
}

async function receive(): Promise<Receiver> {
  const deliveries: WebhookRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(202).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/webhooks/github`,
    deliveries,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
