import { describe, expect, it } from "vitest";
import { readRunConfig } from "#app/config/run-config.ts";
import { findTarget, type TargetAsked } from "#app/run/run-target.ts";

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
        location: { kind: "github", url: "https://code.example/api/v3" },
        instance: "github",
        repository: "acme/tools",
        number: 7,
        isReadOnly: false,
      },
    });
  });

  it("knows the job that it runs in, but only in the job's own repository", async () => {
    const job = { GITHUB_WORKFLOW: "Drover", GITHUB_JOB: "review" };
    const env = { GITHUB_TOKEN: "ghs_1", GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/tools", ...job };
    expect(await find({ pull: "7" }, env)).toMatchObject({
      target: { location: { kind: "github", job: { workflow: "Drover", id: "review" } } },
    });
    const elsewhere = await find({ pull: "7", repo: "acme/other" }, env);
    expect(elsewhere.kind === "found" && "job" in elsewhere.target.location).toBe(false);
  });

  it("is what was said by hand where that was", async () => {
    const asked = { repo: "mia/site", pull: "3", apiUrl: "https://api.github.com/" };
    expect(await find(asked, runner)).toMatchObject({
      target: { location: { url: "https://api.github.com" }, repository: "mia/site", number: 3 },
    });
  });

  it("goes by the forge of the configuration, with its name, key and pace", async () => {
    const config = configured(
      "forges: [{ name: hub, kind: github, apiUrl: 'https://code.example/api/v3', token: { env: OTHER }, writeGapMs: 5 }]",
    );
    const found = await find({ config, repo: "a/b", pull: "1" }, { OTHER: "ghp_2" });
    expect(found).toMatchObject({
      target: { instance: "hub", writeGapMs: 5, location: { url: "https://code.example/api/v3" } },
    });
    const elsewhere = await find({ config, repo: "a/b", pull: "1", apiUrl: "https://api.github.com" }, runner);
    expect(elsewhere).toMatchObject({ target: { instance: "github" } });
  });

  it("is all in the environment of a job of Gitea Actions as well", async () => {
    const job = { ...runner, GITHUB_API_URL: "https://git.example/api/v1", GITHUB_ACTIONS: "true" };
    for (const env of [
      { ...job, GITEA_ACTIONS: "true" },
      { ...job, FORGEJO_ACTIONS: "true" },
    ]) {
      expect(await find({}, env)).toMatchObject({
        target: {
          location: { kind: "gitea", url: "https://git.example" },
          instance: "gitea",
          repository: "acme/tools",
          number: 7,
          isJob: true,
        },
      });
    }
  });

  it("is what its address says, on GitHub and on Gitea", async () => {
    expect(await find({ pull: "https://github.com/mia/site/pull/3" }, { GITHUB_TOKEN: "t" })).toMatchObject({
      target: { location: { kind: "github", url: "https://api.github.com" }, repository: "mia/site", number: 3 },
    });
    expect(await find({ pull: "https://git.example/sub/mia/site/pulls/4" }, { GITEA_TOKEN: "t" })).toMatchObject({
      target: { location: { kind: "gitea", url: "https://git.example/sub" }, repository: "mia/site", number: 4 },
    });
  });

  it("goes by the only forge of the configuration, and by its address where there are several", async () => {
    const gitea = "name: tea, kind: gitea, url: 'https://git.example/', token: { env: TEA }, repositories: [a/b]";
    const other = "name: two, kind: gitea, url: 'https://Two.example:443', token: { env: TWO }, repositories: [a/b]";
    const env = { TEA: "1", TWO: "2" };
    expect(await find({ config: configured(`forges: [{ ${gitea} }]`), repo: "a/b", pull: "1" }, env)).toMatchObject({
      target: { instance: "tea", location: { kind: "gitea", url: "https://git.example" }, writeGapMs: 100 },
    });
    const both = configured(`forges: [{ ${gitea} }, { ${other} }]`);
    const asked = { config: both, forge: "gitea", apiUrl: "https://two.example/api/v1", repo: "a/b", pull: "1" };
    expect(await find(asked, env)).toMatchObject({ target: { instance: "two" } });
    for (const address of ["https://two.example/a/b/pulls/1", "https://TWO.example:443/a/b/pulls/1/files"]) {
      expect(await find({ config: both, pull: address }, env)).toMatchObject({
        target: { instance: "two", number: 1 },
      });
    }
  });

  it("is not asked of a server that the token was not meant for, because of an address alone", async () => {
    const pull = "https://evil.example/a/b/pull/1";
    await expect(find({ pull }, { GITHUB_TOKEN: "t" })).rejects.toThrow("is for https://api.github.com");
    expect(await find({ pull, apiUrl: "https://evil.example/api/v3" }, { GITHUB_TOKEN: "t" })).toMatchObject({
      target: { location: { url: "https://evil.example/api/v3" } },
    });
    const home = { GITEA_TOKEN: "t", GITEA_URL: "https://git.example" };
    await expect(find({ pull: "https://evil.example/a/b/pulls/1" }, home)).rejects.toThrow(
      "is for https://git.example",
    );
    const tea = "name: tea, kind: gitea, url: 'https://git.example/', token: { env: GITEA_TOKEN }, repositories: [a/b]";
    const asked = { config: configured(`forges: [{ ${tea} }]`), pull: "https://evil.example/a/b/pulls/1" };
    await expect(find(asked, { GITEA_TOKEN: "t" })).rejects.toThrow("is for https://git.example");
    expect(await find(asked, { GITEA_TOKEN: "t", GITEA_URL: "https://evil.example" })).toMatchObject({
      target: { location: { url: "https://evil.example" } },
    });
    // A job's own token goes nowhere else at all.
    const job = { ...runner, GITEA_ACTIONS: "true", GITHUB_API_URL: "https://git.example/api/v1" };
    await expect(find({ apiUrl: "https://evil.example" }, job)).rejects.toThrow("GITEA_TOKEN is not set");
    await expect(find({ forge: "gitea", apiUrl: "https://git.example", pull: "1" }, runner)).rejects.toThrow(
      "GITEA_TOKEN is not set",
    );
  });

  it.each<[string, Partial<TargetAsked>, Readonly<Record<string, string>>, string]>([
    ["no token", { repo: "a/b", pull: "1" }, {}, "GITHUB_TOKEN is not set"],
    ["no repository", { pull: "1" }, { GITHUB_TOKEN: "t" }, "say --repo owner/name"],
    ["no owner", { repo: "b", pull: "1" }, { GITHUB_TOKEN: "t" }, "expected owner/name"],
    ["no pull", { repo: "a/b" }, { GITHUB_TOKEN: "t" }, "Say --pull N"],
    ["a forge that nobody knows", { forge: "svn" }, {}, "expected github, gitea, sandbox"],
    ["no token of Gitea", { forge: "gitea", apiUrl: "https://git.example" }, {}, "GITEA_TOKEN is not set"],
    ["a Gitea without an address", { forge: "gitea", pull: "1" }, { GITEA_TOKEN: "t" }, "--api-url is needed"],
    ["an address of no pull", { pull: "https://git.example/a/b" }, {}, "expected the address of a pull"],
    ["another forge than the address's", { pull: "https://x.example/a/b/pulls/1", forge: "github" }, {}, "is on gitea"],
    ["another repository than the address's", { pull: "https://x.example/a/b/pulls/1", repo: "a/c" }, {}, "is in a/b"],
    ["a sandbox without an address", { forge: "sandbox" }, { DROVER_SANDBOX_TOKEN: "t" }, "--api-url is needed"],
    ["an address that is none", { apiUrl: "ftp://x" }, { GITHUB_TOKEN: "t" }, "expected an address"],
    ["an address with a password", { apiUrl: "https://a:b@x.example" }, { GITHUB_TOKEN: "t" }, "nothing else in it"],
    ["an address with a question", { apiUrl: "https://x.example?a" }, { GITHUB_TOKEN: "t" }, "nothing else in it"],
    ["an event that is not there", { event: "no.json" }, {}, "the event no.json cannot be read"],
    ["an event that is none", { event: "odd.json" }, {}, "the event odd.json cannot be understood"],
  ])("is missed with words: %s", async (_, asked, env, words) => {
    await expect(find(asked, env)).rejects.toThrow(new RegExp(words, "i"));
  });
});
