import { describe, expect, it } from "vitest";
import { findTarget, type TargetAsked } from "#app/run/run-target.ts";
import { readRunConfig } from "#config/run-config.ts";

const nothing: TargetAsked = {
  repo: undefined,
  pull: undefined,
  forge: undefined,
  apiUrl: undefined,
  event: undefined,
  config: null,
};
const files: Readonly<Record<string, string>> = {
  "event.json": JSON.stringify({ repository: { full_name: "acme/tools" }, issue: { number: 7, pull_request: {} } }),
  "odd.json": "[]",
};
const runner = {
  GITHUB_TOKEN: "ghs_1",
  GITHUB_REPOSITORY: "acme/tools",
  GITHUB_API_URL: "https://code.example/api/v3",
  GITHUB_EVENT_NAME: "issue_comment",
  GITHUB_EVENT_PATH: "event.json",
};

async function readFile(path: string): Promise<string> {
  const text = files[path];
  if (text === undefined) throw new Error("ENOENT");
  return text;
}

async function find(asked: Partial<TargetAsked>, env: Readonly<Record<string, string>>) {
  return await findTarget({ ...nothing, ...asked }, { env, readFile });
}

function configured(text: string): TargetAsked["config"] {
  const read = readRunConfig(text);
  return read.kind === "read" ? read.config : null;
}

describe("which pull a run is about", () => {
  it("is all in the environment of a runner", async () => {
    expect(await find({}, runner)).toMatchObject({
      kind: "found",
      target: {
        place: { kind: "github", url: "https://code.example/api/v3" },
        instance: "github",
        repository: "acme/tools",
        number: 7,
        isReadOnly: false,
      },
    });
  });

  it("is what was said by hand where that was", async () => {
    const asked = { repo: "mia/site", pull: "3", apiUrl: "https://api.github.com/" };
    expect(await find(asked, runner)).toMatchObject({
      target: { place: { url: "https://api.github.com" }, repository: "mia/site", number: 3 },
    });
  });

  it("goes by the forge of the configuration, with its name, key and pace", async () => {
    const config = configured(
      "forges: [{ name: hub, kind: github, apiUrl: 'https://code.example/api/v3', token: { env: OTHER }, writeGapMs: 5 }]",
    );
    const found = await find({ config, repo: "a/b", pull: "1" }, { OTHER: "ghp_2" });
    expect(found).toMatchObject({
      target: { instance: "hub", writeGapMs: 5, place: { url: "https://code.example/api/v3" } },
    });
    const elsewhere = await find({ config, repo: "a/b", pull: "1", apiUrl: "https://api.github.com" }, runner);
    expect(elsewhere).toMatchObject({ target: { instance: "github" } });
  });

  it.each<[string, Partial<TargetAsked>, Readonly<Record<string, string>>, string]>([
    ["no token", { repo: "a/b", pull: "1" }, {}, "GITHUB_TOKEN is not set"],
    ["no repository", { pull: "1" }, { GITHUB_TOKEN: "t" }, "say --repo owner/name"],
    ["no owner", { repo: "b", pull: "1" }, { GITHUB_TOKEN: "t" }, "expected owner/name"],
    ["no pull", { repo: "a/b" }, { GITHUB_TOKEN: "t" }, "Say --pull N"],
    ["a forge that nobody knows", { forge: "svn" }, {}, "expected github, gitea, sandbox"],
    ["a forge that is not served yet", { forge: "gitea" }, {}, "not served yet"],
    ["a sandbox without an address", { forge: "sandbox" }, { DROVER_SANDBOX_TOKEN: "t" }, "--api-url is needed"],
    ["an address that is none", { apiUrl: "ftp://x" }, { GITHUB_TOKEN: "t" }, "expected an address"],
    ["an event that is not there", { event: "no.json" }, {}, "the event no.json cannot be read"],
    ["an event that is none", { event: "odd.json" }, {}, "the event odd.json cannot be understood"],
  ])("is missed with words: %s", async (_, asked, env, words) => {
    await expect(find(asked, env)).rejects.toThrow(new RegExp(words, "i"));
  });
});
