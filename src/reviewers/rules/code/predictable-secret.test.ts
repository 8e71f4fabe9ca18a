import { describe, expect, it } from "vitest";
import { predictableSecret } from "#reviewers/rules/code/predictable-secret.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("predictable-secret", () => {
  it.each([
    ["a.ts", "const resetToken = Math.random().toString(36).slice(2);"],
    ["a.ts", "session = { sessionId: Math.random().toString(16) };"],
    ["a.ts", "const password: string = `x${Math.random().toString(36)}`;"],
    ["a.py", "password = ''.join(random.choice(letters) for _ in range(12))"],
    ["a.py", "csrf_token = random.getrandbits(128)"],
  ])("finds a predictable secret in %s: %s", async (path, line) => {
    expect(await placesOf(predictableSecret, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["a.ts", "const id = Math.random().toString(36);"],
    ["a.ts", "const token = crypto.randomUUID();"],
    ["a.ts", "const maxTokens = Math.random() * 10;"],
    ["a.ts", "if (token === Math.random().toString(36)) {}"],
    ["a.test.ts", "const token = Math.random().toString(36);"],
    ["a.py", "token = random.choice(tokens)"],
    ["a.py", "password = secrets.token_hex(16)"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(predictableSecret, [newFile(path, line)])).toEqual([]);
  });
});
