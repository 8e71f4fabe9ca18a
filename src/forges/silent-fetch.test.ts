import { describe, expect, it } from "vitest";
import { fetchUnlessSilent } from "#forges/silent-fetch.ts";

type Fetch = typeof globalThis.fetch;

const url = "http://127.0.0.1/";

/** Ends with the signal alone. */
const silence: Fetch = async (_, init) =>
  await new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
  });
const answer: Fetch = async () => new Response("here");

function scripted(...calls: readonly Fetch[]): Fetch {
  const left = [...calls];
  return async (input, init) => await (left.shift() ?? silence)(input, init);
}

/** A caller who is out of patience at once. */
const impatient = (): RequestInit => ({ signal: AbortSignal.timeout(1) });

describe("a host that does not answer", () => {
  it("is given up early where it has never answered", async () => {
    await expect(fetchUnlessSilent(silence, 10)(url)).rejects.toMatchObject({ code: "NO_ANSWER" });
  });

  it("is given the caller's time once it has answered, until three calls in a row had no answer", async () => {
    const fetch = fetchUnlessSilent(scripted(answer, silence, silence, answer), 10);
    await fetch(url);
    for (let call = 0; call < 2; call++) await expect(fetch(url, impatient())).rejects.toThrow("aborted");
    await fetch(url);
    for (let call = 0; call < 3; call++) await expect(fetch(url, impatient())).rejects.toThrow("aborted");
    await expect(fetch(url)).rejects.toMatchObject({ code: "NO_ANSWER" });
  });

  it("may take as long as it likes for the rest, once an answer has begun", async () => {
    let over: AbortSignal | null | undefined;
    const slow: Fetch = async (_, init) => {
      over = init?.signal;
      return new Response("here");
    };
    const response = await fetchUnlessSilent(slow, 1)(url);
    // Whatever was set before it has gone off by now.
    await new Promise((resolve) => AbortSignal.timeout(20).addEventListener("abort", resolve));
    expect(over?.aborted).toBe(false);
    expect(await response.text()).toBe("here");
  });
});
