import { expect, test } from "vitest";
import { maskingFetch } from "#app/secrets/masking-fetch.ts";
import { createSecretMasker } from "#core/secrets/known-secrets.ts";

const token = 'tok"9fQ2xLm7\\Zp4R';
const { known } = createSecretMasker([{ name: "the token", value: token }]);

/** What a server gets to read. */
async function sent(init: RequestInit): Promise<Request> {
  let seen: Request | undefined;
  const fetchAnswer: typeof fetch = async (input, asked) => {
    seen = new Request(input, asked);
    return new Response("{}");
  };
  await maskingFetch(fetchAnswer, known)("https://models.example/v1", { method: "POST", ...init });
  if (seen === undefined) throw new Error("nothing was sent");
  return seen;
}

test("a prompt is sent without the secret, and is still JSON", async () => {
  const body = JSON.stringify({ messages: [{ text: `a ${token} b`, at: 1 }] });
  expect(await (await sent({ body })).json()).toEqual({ messages: [{ text: "a ‹secret› b", at: 1 }] });
});

test("a prompt without secrets is sent to the letter", async () => {
  const body = '{ "text" : "a\\u0041" }';
  expect(await (await sent({ body })).text()).toBe(body);
});

test("a file of a batch is sent without it, line by line, under its name", async () => {
  const form = new FormData();
  form.set("purpose", "batch");
  const lines = [JSON.stringify({ id: "1", text: token }), JSON.stringify({ id: "2", text: "fine" }), ""];
  form.set("file", new Blob([lines.join("\n")], { type: "application/jsonl" }), "drover-1.jsonl");
  const got = await (await sent({ body: form })).formData();
  const file = got.get("file");
  if (!(file instanceof File)) throw new Error("there is no file");
  expect([file.name, file.type, got.get("purpose")]).toEqual(["drover-1.jsonl", "application/jsonl", "batch"]);
  expect(await file.text()).toBe('{"id":"1","text":"‹secret›"}\n{"id":"2","text":"fine"}\n');
});

test("the key in the header is what opens the door, and stays", async () => {
  const { headers } = await sent({ headers: { authorization: `Bearer ${token}` }, body: "{}" });
  expect(headers.get("authorization")).toBe(`Bearer ${token}`);
});
