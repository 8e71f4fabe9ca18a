import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, minuteMs } from "#core/model/instant.ts";
import { environmentFetch } from "#forges/bounded-fetch.ts";
import { createModel } from "#models/create-model.ts";
import { defaultModelCallLimits, type ModelProvider } from "#models/model-settings.ts";
import type { Model } from "#ports/model.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { aTurn, entryOf, keyText, providers } from "./model-world.ts";
import { createQuickClock } from "./quick-clock.ts";

/** A provider that sends everybody on to somebody else, and what that one hears. */
const heard: string[] = [];
let status = 307;
const thief = createServer((request, response) => {
  heard.push(told(request));
  response.end("{}");
});
const provider = createServer((_, response) => {
  response.writeHead(status, { location: `${addressOf(thief)}/v1/elsewhere` }).end();
});
provider.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Who are you\r\n\r\n"));

function told({ method, url, headers }: IncomingMessage): string {
  return `${method} ${url} ${JSON.stringify(headers)}`;
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens nowhere");
  return `http://127.0.0.1:${address.port}`;
}

beforeAll(async () => {
  for (const server of [thief, provider]) {
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
  }
});

afterAll(() => {
  for (const server of [thief, provider]) {
    server.closeAllConnections();
    server.close();
  }
});

function modelOf(name: ModelProvider, said: unknown[], environment: Readonly<Record<string, string>> = {}): Model {
  const key = { reveal: () => keyText };
  return createModel({
    chain: [
      { ...entryOf(name), baseUrl: `${addressOf(provider)}/v1`, key, keyName: "THE_KEY", shapes: null },
      { ...entryOf(name), baseUrl: `${addressOf(provider)}/v2`, key, keyName: "THE_KEY", shapes: null },
    ],
    prices: {},
    durations: { ...defaultModelCallLimits, triesMax: 2, pauseMs: 1 },
    clock: createQuickClock(),
    random: createSeededRandom(1),
    log: { info: ignore, warn: (...facts) => said.push(facts), error: (...facts) => said.push(facts) },
    fetch: environmentFetch(environment),
    onCall: (call) => said.push(call),
  });
}

function ignore(): void {
  // Nobody asks for it.
}

describe.each([301, 302, 303, 307, 308])("a provider that answers %i", (code) => {
  it.each(providers)("does not send the key of %s on to anybody", async (name) => {
    status = code;
    const said: unknown[] = [];
    const outcome = await modelOf(name, said).converse(aTurn());
    expect(outcome.kind).toBe("failed");
    expect(heard).toEqual([]);
    expect(said.length).toBeGreaterThan(0);
    expect(JSON.stringify([outcome, said])).not.toContain(keyText);
  });

  it.each(["openai", "anthropic"] as const)("gets no batch of %s to anybody", async (name) => {
    status = code;
    const said: unknown[] = [];
    const { batches } = modelOf(name, said);
    const { signal } = new AbortController();
    const { messages, shape } = aTurn();
    if (batches === undefined || shape === null) throw new Error("it takes no batches");
    const request = { id: "a-find", purpose: "review_find", messages, shape, answerTokensMax: 500 } as const;
    const handle = { id: "batch_1", model: `${name}/${entryOf(name).model}` };
    const until = after(createQuickClock().now(), minuteMs);
    const outcomes = [
      await batches.submit({ token: "token", until, signal, requests: [request] }),
      await batches.find({ token: "token", since: at(0), until: at(1), requests: 1 }, signal),
      await batches.check(handle, { shape, signal }),
      await batches.cancel(handle, signal),
      await batches.forget(handle, signal),
    ];
    expect(heard).toEqual([]);
    expect(JSON.stringify([outcomes, said])).not.toContain(keyText);
  });
});

it("the key and the password of a proxy are in no message when that proxy refuses", async () => {
  status = 307;
  const said: unknown[] = [];
  const proxy = addressOf(provider).replace("http://", "http://somebody:proxy-word@");
  const outcome = await modelOf("openai", said, { http_proxy: proxy, https_proxy: proxy }).converse(aTurn());
  expect(outcome.kind).toBe("failed");
  expect(heard).toEqual([]);
  expect(JSON.stringify([outcome, said])).not.toMatch(new RegExp(`${keyText}|proxy-word`));
});
