import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readOperatorConfig } from "#app/config/read-operator-config.ts";
import { type SandboxCall, sandbox } from "#cli/sandbox.ts";

const usual: SandboxCall = { port: "0", manner: "github" };

let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drover-sandbox-test-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

let count = 0;

/** Runs it in a folder of its own until `meanwhile` is through with what it said. */
async function run(
  call: Partial<SandboxCall>,
  meanwhile: (said: string) => Promise<void> = async () => undefined,
  searchPath = process.env["PATH"] ?? "",
): Promise<number> {
  let said = "";
  count += 1;
  const terminal = {
    out: (text: string) => {
      said += text;
    },
    err: () => undefined,
    readFile: (path: string) => readFile(path, "utf8"),
    sleep: async () => undefined,
    isInteractive: false,
    columns: 80,
    hasColours: false,
    searchPath,
    env: {},
  };
  return await sandbox({ ...usual, folder: join(place, String(count)), ...call }, terminal, () => meanwhile(said));
}

const Ready = z.object({
  kind: z.literal("ready"),
  url: z.url(),
  manner: z.string(),
  configFile: z.string(),
  tokens: z.record(z.string(), z.string()),
  repositories: z.array(z.object({ id: z.string(), name: z.string(), folder: z.string() })),
});

/** A line as the page shows it, sent by `fetch`. */
async function send(line: string): Promise<number> {
  const [, token = "", url = "", body = ""] = /Bearer (\S+)' (\S+) -d '(.*)'$/.exec(line) ?? [];
  const answer = await fetch(url, { method: "POST", body, headers: { authorization: `Bearer ${token}` } });
  return answer.status;
}

describe("drover sandbox", () => {
  it("says in one line of JSON where it is, with a configuration that drover serve can read", async () => {
    const code = await run({ json: true, manner: "gitea" }, async (said) => {
      expect(said.trimEnd()).not.toContain("\n");
      const { url, manner, configFile, repositories } = Ready.parse(JSON.parse(said));
      expect([manner, repositories.map(({ name }) => name)]).toEqual(["gitea", ["acme/tools"]]);
      const read = readOperatorConfig(await readFile(configFile, "utf8"));
      expect(read).toMatchObject({
        kind: "read",
        config: { forges: [{ kind: "sandbox", url, manner: "gitea", repositories: ["acme/tools"] }] },
      });
    });
    expect(code).toBe(0);
  });

  it("shows people lines that work as they stand", async () => {
    await run({}, async (said) => {
      const lines = said.split("\n").filter((line) => line.includes("curl "));
      const statuses: number[] = [];
      for (const line of lines) statuses.push(await send(line));
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
    });
  });

  it.each(["github", "gitea"] as const)("lets people do what people do, in the manner of %s", async (manner) => {
    await run({ json: true, manner }, async (said) => {
      const { url, tokens } = Ready.parse(JSON.parse(said));
      const tell = async (
        by: string,
        path: string,
        asked: object | null,
      ): Promise<{ status: number; told: unknown }> => {
        const headers = { authorization: `Bearer ${tokens[by]}` };
        const answer = await fetch(`${url}/${path}`, { method: "POST", body: JSON.stringify(asked), headers });
        const text = await answer.text();
        return { status: answer.status, told: answer.ok ? JSON.parse(text) : text };
      };
      const does = async (by: string, deed: string, asked: object): Promise<unknown> => {
        const { status, told } = await tell(by, `person/${deed}`, asked);
        expect({ deed, status, told }).toMatchObject({ status: 200 });
        return told;
      };
      const repository = "acme/tools";
      const on = { repository, pull: 1 };
      const push = { repository, branch: "loud", message: "Be loud" };
      const first = await does("ada", "push", { ...push, files: { "a.txt": "one\n" } });
      await does("ada", "openPull", { repository, branch: "loud", title: "Be loud" });
      await does("ada", "push", { ...push, files: { "a.txt": "two\n" } });
      await does("ada", "forcePush", { repository, branch: "loud", to: first });
      const comment = await does("eve", "comment", { ...on, body: "Who am I?" });
      expect(await tell("eve", "person/merge", on)).toMatchObject({ status: 422 });
      await does("eve", "editComment", { ...on, comment, body: "An outsider." });
      await does("helper-bot", "comment", { ...on, body: "Beep." });
      const remarks = [{ path: "a.txt", side: "new", lines: { first: 1, last: 1 }, body: "Why?" }];
      const review = await does("rita", "review", { ...on, event: "request_changes", body: "No.", remarks });
      const Seen = z.object({ threads: z.array(z.object({ id: z.string() })) });
      const [thread] = Seen.parse(await does("ada", "look", on)).threads;
      await does("ada", "reply", { ...on, thread: thread?.id, body: "Because." });
      await does("ada", "resolveThread", { ...on, thread: thread?.id });
      await does("mia", "dismissReview", { ...on, review });
      const seen = JSON.stringify(await does("ada", "look", on));
      for (const words of ["An outsider.", "Beep.", "Because.", "dismissed", String(first)])
        expect(seen).toContain(words);
      await does("eve", "deleteComment", { ...on, comment });
      expect(JSON.stringify(await does("ada", "look", on))).not.toContain("An outsider.");
      await does("mia", "fault", { fault: { kind: "expired_token" }, times: 1 });
      const failed = await tell("drover", "forge/fetchIdentity", null);
      expect(JSON.stringify(failed.told)).toContain("unauthorized");
      expect(JSON.stringify((await tell("drover", "forge/fetchIdentity", null)).told)).not.toContain("unauthorized");
    });
  });

  it("lists everything that people can do, in lines that name deeds that there are", async () => {
    await run({ json: true }, async (said) => {
      const { url, tokens } = Ready.parse(JSON.parse(said));
      const headers = { authorization: `Bearer ${tokens["ada"]}` };
      const help = await (await fetch(`${url}/person/help`, { method: "POST", headers })).text();
      const listed = [...help.matchAll(/^curl .*\/person\/(\w+) -d /gm)].map(([, deed]) => deed);
      const unknown = await (await fetch(`${url}/person/nothing`, { method: "POST", body: "{}", headers })).text();
      const there = unknown.split("There is: ")[1]?.trim().split(", ") ?? [];
      expect(new Set(listed)).toEqual(new Set(there));
      // What does not read is answered with 400; a deed on what is not there with 422.
      for (const line of help.split("\n").filter((one) => one.startsWith("curl ")))
        expect({ line, status: await send(line) }).not.toMatchObject({ status: 400 });
    });
  });

  it.each(["github", "gitea"] as const)("lists lines that work as they stand, in the manner of %s", async (manner) => {
    await run({ json: true, manner }, async (said) => {
      const { url, tokens } = Ready.parse(JSON.parse(said));
      const post = async (by: string, deed: string, asked: object): Promise<string> => {
        const headers = { authorization: `Bearer ${tokens[by]}` };
        const body = JSON.stringify(asked);
        return await (await fetch(`${url}/person/${deed}`, { method: "POST", body, headers })).text();
      };
      const repository = "acme/tools";
      const on = { repository, pull: 1 };
      await post("ada", "push", { repository, branch: "c", message: "Add it", files: { "a.txt": "A\n" } });
      await post("ada", "openPull", { repository, branch: "c", title: "Add it" });
      await post("ada", "comment", { ...on, body: "Please." });
      const remarks = [{ path: "a.txt", side: "new", lines: { first: 1, last: 1 }, body: "Why?" }];
      await post("rita", "review", { ...on, event: "request_changes", body: "No.", remarks });
      // The first two begin a pull of their own.
      for (const line of (await post("mia", "help", {}))
        .split("\n")
        .filter((one) => one.startsWith("curl "))
        .slice(2))
        expect({ line, status: await send(line) }).toMatchObject({ status: 200 });
    });
  });

  it("is gone when it was stopped", async () => {
    let url = "";
    await run({ json: true }, async (said) => {
      ({ url } = Ready.parse(JSON.parse(said)));
    });
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  it.each([
    [{ port: "eighty" }, "--port eighty"],
    [{ webhooks: "http://127.0.0.1:4170" }, "belong together"],
    [{ secret: "s" }, "belong together"],
    [{ webhooks: "http://127.0.0.1:4170", secret: "" }, "belong together"],
    [{ webhooks: "over there", secret: "s" }, "--webhooks over there"],
  ])("does not start with %j, and says why", async (call, why) => {
    await expect(run(call)).rejects.toMatchObject({ name: "UsageError", message: expect.stringContaining(why) });
  });

  it("does not start on a port that is taken, in a folder that is not empty, or without git", async () => {
    await run({ json: true }, async (said) => {
      const { port } = new URL(Ready.parse(JSON.parse(said)).url);
      await expect(run({ port })).rejects.toMatchObject({ name: "UsageError", message: /port is taken/ });
    });
    await expect(run({ folder: place })).rejects.toMatchObject({ name: "UsageError", message: /not empty/ });
    await expect(run({}, undefined, "")).rejects.toMatchObject({ name: "UsageError", message: /git/i });
  });
});
