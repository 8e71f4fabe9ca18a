import { afterEach, describe, expect, it, vi } from "vitest";
import { createModel } from "#models/create-model.ts";
import { type ChainEntry, defaultModelCallLimits, type ModelProvider } from "#models/model-settings.ts";
import { silentLog } from "#testing/makers.ts";
import { type HeardRequest, scriptedFetch } from "#testing/scripted-fetch.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { aTurn, entryOf, keyText } from "./model-world.ts";
import { createQuickClock } from "./quick-clock.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const variables = ["ANTHROPIC", "OPENAI", "GOOGLE_GENERATIVE_AI", "OPENROUTER", "COMPATIBLE", "GOOGLE"];

/** The one request of a turn, in an environment that is full of other settings. */
async function requestOf(entry: Partial<ChainEntry> & { readonly provider: ModelProvider }): Promise<HeardRequest> {
  for (const name of variables) {
    vi.stubEnv(`${name}_API_KEY`, "key-of-somebody-else");
    vi.stubEnv(`${name}_BASE_URL`, "http://elsewhere.example/v1");
  }
  vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "key-of-somebody-else");
  const line = scriptedFetch(() => null);
  const key = { reveal: () => keyText };
  const rest = { baseUrl: null, key, keyName: "THE_KEY", shapes: null };
  const model = createModel({
    ...settings,
    chain: [{ ...rest, ...entryOf(entry.provider), ...entry }],
    fetch: line.fetch,
  });
  await model.converse(aTurn());
  const [request] = line.heard;
  if (request === undefined) throw new Error("nobody was asked");
  return request;
}

const settings = {
  prices: {},
  durations: { ...defaultModelCallLimits, triesMax: 1 },
  clock: createQuickClock(),
  random: createSeededRandom(1),
  log: silentLog,
  fetch: globalThis.fetch,
  onCall: ignore,
};

function ignore(): void {
  // Nobody asks for it.
}

describe("a request", () => {
  it.each([
    ["anthropic", "https://api.anthropic.com/v1/messages"],
    ["openai", "https://api.openai.com/v1/responses"],
    [
      "google",
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    ],
    ["openrouter", "https://openrouter.ai/api/v1/chat/completions"],
  ] as const)("for %s goes to its own address, whatever the environment says", async (provider, url) => {
    const request = await requestOf({ provider });
    expect(request.url).toBe(url);
    expect(JSON.stringify([...request.headers])).not.toContain("key-of-somebody-else");
  });

  it.each(["anthropic", "openai", "google", "openrouter", "compatible"] as const)(
    "for %s without a key takes none from the environment",
    async (provider) => {
      const { headers } = await requestOf({ provider, key: null, baseUrl: "http://127.0.0.1:9/v1" });
      expect(JSON.stringify([...headers])).not.toMatch(/key-of-somebody-else|key-0f9e/);
    },
  );

  it("for a compatible server without a key has no header for one", async () => {
    const { headers, url } = await requestOf({ provider: "compatible", key: null, baseUrl: "http://127.0.0.1:9/v1" });
    expect(url).toBe("http://127.0.0.1:9/v1/chat/completions");
    expect(headers.has("authorization")).toBe(false);
  });

  it("for OpenAI asks it to store nothing, and to look for its beginning in one place", async () => {
    const { body } = await requestOf({ provider: "openai" });
    expect(body).toMatchObject({ store: false, prompt_cache_key: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });
});

describe("a chain", () => {
  const entry = { ...entryOf("compatible"), baseUrl: null, key: null, keyName: "THE_KEY", shapes: null };

  it("with a compatible server needs to know where that is", () => {
    expect(() => createModel({ ...settings, chain: [entry] })).toThrow("needs the server's address");
  });

  it("needs somebody in it", () => {
    expect(() => createModel({ ...settings, chain: [] })).toThrow("at least one");
  });
});
