import { anthropicDesk } from "./anthropic-desk.ts";
import { createFaults, type Faults } from "./faults.ts";
import { openaiDesk } from "./openai-desk.ts";
import { createRoom, type Room, type RoomOptions } from "./room.ts";

/**
 * A provider of batches, as OpenAI or Anthropic have them, in this process: what it was handed over, what it was told to
 * stop, and what it billed, as itself saw it.
 */
export interface BatchProvider {
  readonly fetch: typeof fetch;
  readonly faults: Faults;
  readonly room: Room;
  /** Live calls beside the batches. */
  readonly liveCalls: readonly string[];
}

export type ProviderManner = "openai" | "anthropic";
export const providerManners = ["openai", "anthropic"] as const satisfies readonly ProviderManner[];

export interface Wire {
  readonly method: string;
  /** Behind the address, with its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | FormData | null;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request, or undefined where there is nothing under this path. */
export type Desk = (wire: Wire) => Promise<Answered | undefined>;

export interface ProviderOptions extends RoomOptions {
  readonly manner: ProviderManner;
}

export const providerAddress = "https://provider.example/v1";
export const providerKey = "provider-key-7f3a";

export function createBatchProvider(options: ProviderOptions): BatchProvider {
  const room = createRoom(options);
  const faults = createFaults();
  const liveCalls: string[] = [];
  const desk = options.manner === "openai" ? openaiDesk(room) : anthropicDesk(room);
  const live = async ({ method, path, body }: Wire): Promise<Answered | undefined> => {
    if (method !== "POST" || !["/responses", "/messages"].includes(path)) return undefined;
    liveCalls.push(typeof body === "string" ? body : "");
    return { status: 503, body: { error: { message: "only batches are served here" } } };
  };
  return {
    room,
    faults,
    liveCalls,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      const wire: Wire = {
        method: init?.method ?? "GET",
        path: url.slice(providerAddress.length),
        headers: new Headers(init?.headers),
        body: init?.body instanceof FormData || typeof init?.body === "string" ? init.body : null,
      };
      return await faults.around(wire, async () => responseOf(await answer(wire, [live, desk])));
    },
  };
}

async function answer(wire: Wire, desks: readonly Desk[]): Promise<Answered> {
  const key = wire.headers.get("x-api-key") ?? wire.headers.get("authorization")?.replace("Bearer ", "");
  if (key !== providerKey) return { status: 401, body: { error: { message: "wrong key" } } };
  for (const desk of desks) {
    const answered = await desk(wire);
    if (answered !== undefined) return answered;
  }
  return { status: 404, body: { error: { message: "nothing is here" } } };
}

function responseOf({ status, body }: Answered): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": "application/json" } });
}
