import { describe, expect, it } from "vitest";
import { fetchWithActivity } from "#models/call-once.ts";

interface Heard {
  sounds: number;
  accepted: number;
}

function listening(response: Response): { readonly fetch: typeof globalThis.fetch; readonly heard: Heard } {
  const heard = { sounds: 0, accepted: 0 };
  const ear = {
    sound: () => {
      heard.sounds += 1;
    },
    accepted: () => {
      heard.accepted += 1;
    },
  };
  return { fetch: fetchWithActivity(async () => await Promise.resolve(response), ear), heard };
}

function inPieces(count: number, bytes: number): ReadableStream<Uint8Array> {
  let left = count;
  return new ReadableStream({
    pull: (controller) => {
      if (left-- > 0) controller.enqueue(new Uint8Array(bytes));
      else controller.close();
    },
  });
}

const anywhere = "http://127.0.0.1:9/";

describe("a fetch that can be heard", () => {
  it("passes the answer on as it is, and tells of each piece", async () => {
    const { fetch, heard } = listening(new Response(inPieces(3, 2), { status: 201, headers: { "x-told": "yes" } }));
    const response = await fetch(anywhere);
    expect([response.status, response.headers.get("x-told")]).toEqual([201, "yes"]);
    expect((await response.arrayBuffer()).byteLength).toBe(6);
    expect(heard).toEqual({ sounds: 4, accepted: 1 });
  });

  it("does not take a refusal for a beginning", async () => {
    const { fetch, heard } = listening(new Response("no", { status: 429 }));
    await fetch(anywhere);
    expect(heard.accepted).toBe(0);
  });

  it("takes an answer without a body", async () => {
    const { fetch } = listening(new Response(null, { status: 204 }));
    expect((await fetch(anywhere)).status).toBe(204);
  });

  it("breaks off where the answer has no end", async () => {
    const { fetch } = listening(new Response(inPieces(1_000, 1024 * 1024)));
    const response = await fetch(anywhere);
    await expect(response.arrayBuffer()).rejects.toThrow("more than 67108864 bytes");
  });
});
