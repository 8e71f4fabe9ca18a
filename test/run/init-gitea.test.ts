import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readOperatorConfig } from "#app/config/read-operator-config.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { runCommandLine } from "#cli/command-line.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import { type GiteaLike, serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

/** The bot administers one repository, and may only write into the other. */
let folder: string;
let gitea: GiteaLike;
let tools: RepositoryRef;
let site: RepositoryRef;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-init-gitea-"));
  const host = createMemoryHost(createMemoryHub());
  const sandbox = createSandbox({ host, clock: createSystemClock(), manner: "gitea" });
  const [mia, bot] = ["mia", "drover"].map((login) => sandbox.addAccount({ login, kind: "person" }));
  if (mia === undefined || bot === undefined) throw new Error("nobody is there");
  const files = { "README.md": "# Read me\n" };
  tools = await sandbox.createRepository({ name: "mia/tools", by: mia, files });
  site = await sandbox.createRepository({ name: "mia/site", by: mia, files });
  sandbox.setPermission({ repository: tools, account: bot, permission: "admin" });
  sandbox.setPermission({ repository: site, account: bot, permission: "write" });
  gitea = await serveGiteaLike({ sandbox });
  gitea.tokens.set("t0ken", bot);
});
afterAll(async () => {
  await gitea.close();
  await rm(folder, { recursive: true, force: true });
});

async function drover(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { terminal, said } = heardTerminal({ env });
  const code = await runCommandLine(["init", ...args], terminal);
  return { code, ...said };
}

const Told = z.object({
  kind: z.literal("gitea"),
  scopes: z.array(z.object({ name: z.string(), why: z.string() })),
  webhook: z
    .object({ url: z.string(), secretFile: z.string(), events: z.array(z.string()), made: z.array(z.unknown()) })
    .nullable(),
  config: z.string(),
});

test("the webhook is made once however often it is asked for, with a secret that stays and that nobody prints", async () => {
  const data = join(folder, "data");
  const args = [
    "--gitea",
    "--api-url",
    `${gitea.url}/api/v1/`,
    "--url",
    "https://drover.example/",
    "--repo",
    "mia/tools",
  ];
  const env = { GITEA_TOKEN: "t0ken" };
  const first = await drover([...args, "--data", data, "--json"], env);
  expect(first).toMatchObject({ code: 0, err: "" });
  const { webhook, config } = Told.parse(JSON.parse(first.out));
  expect(webhook?.made).toEqual([{ repository: "mia/tools", kind: "made", id: expect.any(Number) }]);
  const file = webhook?.secretFile ?? "";
  const secret = (await readFile(file, "utf8")).trim();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(join(data, ".gitignore"), "utf8")).toBe("*\n");
  const second = await drover([...args, "--data", data], env);
  expect(second.out).toContain("mia/tools: replaced");
  expect(gitea.hooksOf(tools)).toMatchObject([
    {
      type: "gitea",
      isActive: true,
      config: { url: "https://drover.example/webhooks/gitea", content_type: "json", secret },
      events: expect.arrayContaining(webhook?.events ?? []),
    },
  ]);
  expect(first.out + second.out).not.toContain(secret);
  expect(readOperatorConfig(config)).toMatchObject({
    kind: "read",
    config: {
      forges: [{ kind: "gitea", url: gitea.url, webhookSecrets: [{ file }], repositories: ["mia/tools"] }],
      budgets: { pullUsd: 3, dayUsd: 50 },
    },
  });
});

test("a repository that is somebody else's is told, and the others are dealt with all the same", async () => {
  const args = ["--gitea", "--api-url", gitea.url, "--url", "https://drover.example", "--data", join(folder, "two")];
  const { code, out, err } = await drover([...args, "--repo", "mia/site,mia/tools"], { GITEA_TOKEN: "t0ken" });
  expect(code).toBe(1);
  expect(err).toContain("gitea mia/site: list webhooks: 403");
  expect(err).toContain("has to administer the repository");
  expect(out).toContain("mia/tools: replaced");
  expect(gitea.hooksOf(site)).toEqual([]);
});

test("without a token everything is told step by step: account, scopes with their reasons, webhook, configuration", async () => {
  const { code, out } = await drover(["--gitea", "--url", "https://drover.example", "--data", join(folder, "three")]);
  expect(code).toBe(0);
  expect(out.replaceAll(folder, "DIR")).toMatchInlineSnapshot(`
    "1. On https://git.example, give Drover an account of its own, and make it an administrator of each repository:
       Gitea tells the permissions of others to administrators only, and Drover obeys no person with an unknown permission.
    2. As that account, make a token (Settings > Applications) with these scopes, and keep it as GITEA_TOKEN:
         write:repository   reviews, the gate, pushes, merges and webhooks
         write:issue        comments, reactions and labels, which Gitea stores with issues
         read:user          to know which account the token belongs to
         read:organization  to know the members of teams, if an organisation owns the repository
    3. In each repository, or once for an organisation, add a webhook of the type Gitea (Settings > Webhooks),
       or have it made: GITEA_TOKEN in the environment, --api-url https://git.example --repo owner/name.
         target URL    https://drover.example/webhooks/gitea, POST, application/json
         secret        the line in DIR/three/gitea-webhook-secret
         events        everything about pull requests (pull_request, pull_request_assign, pull_request_comment, pull_request_label, pull_request_milestone, pull_request_review, pull_request_review_request, pull_request_sync)
       Gitea sends nothing to private addresses unless [webhook] ALLOWED_HOST_LIST in its app.ini names them.
    4. In drover.config.yml:

    forges:
      - name: gitea
        kind: gitea
        url: "https://git.example"
        token: { env: GITEA_TOKEN }
        webhookSecrets: [{ file: "DIR/three/gitea-webhook-secret" }]
        repositories: ["owner/name"]
    # What models may cost, in dollars, once there are any.
    budgets: { pullUsd: 3, dayUsd: 50 }
    "
  `);
});

test("without an address of the server there are no webhooks, and no secret is kept", async () => {
  const data = join(folder, "none");
  const { code, out } = await drover(["--gitea", "--data", data, "--repo", "acme/tools", "--json"]);
  expect(code).toBe(0);
  expect(Told.parse(JSON.parse(out))).toMatchObject({ webhook: null });
  await expect(stat(data)).rejects.toThrow("ENOENT");
});

test("the workflow of Gitea Actions runs what the Action runs, with its own triggers and one run at a time", async () => {
  const unnamed = await drover(["--workflow", "--gitea", "--folder", folder]);
  expect(unnamed).toMatchObject({ code: 2, out: "" });
  expect(unnamed.err).toContain("--action https://git.example/owner/name@COMMIT is needed");
  await expect(stat(join(folder, ".gitea"))).rejects.toThrow("ENOENT");
  const named = ["--workflow", "--gitea", "--folder", folder, "--action", "acme/drover@v0.1.0"];
  expect(await drover([...named, "--json"])).toMatchObject({ code: 0 });
  const written = await readFile(join(folder, ".gitea/workflows/drover.yml"), "utf8");
  expect(parse(written)).toMatchObject({
    on: {
      pull_request: { types: ["opened", "synchronize", "reopened", "edited"] },
      pull_request_review: { types: ["submitted", "edited"] },
      pull_request_review_comment: { types: ["created", "edited"] },
      issue_comment: { types: ["created", "edited"] },
    },
    concurrency: { "cancel-in-progress": false },
    jobs: {
      drover: {
        container: "node:22-bookworm",
        permissions: { contents: "write", issues: "write", "pull-requests": "write" },
        steps: [
          {
            run: expect.stringMatching(
              /https:\/\/github\.com\/acme\/drover v0\.1\.0\n[^]*node drover\/action\/index\.js/,
            ),
            env: {
              INPUT_GITHUB_TOKEN: "${{ secrets.DROVER_TOKEN || secrets.GITEA_TOKEN }}",
              INPUT_SECRET: "${{ secrets.DROVER_SECRET }}",
            },
          },
        ],
      },
    },
  });
  expect((await drover(named)).err).toContain("is there already");
  const own = `https://git.example/acme/drover@${"a".repeat(40)}`;
  expect(await drover(["--workflow", "--gitea", "--folder", folder, "--force", "--action", own])).toMatchObject({
    code: 0,
  });
  expect(await readFile(join(folder, ".gitea/workflows/drover.yml"), "utf8")).toContain(
    `fetch --quiet --depth 1 https://git.example/acme/drover ${"a".repeat(40)}\n`,
  );
});

test.each([
  ["two ways at once", ["--gitea", "--github-app"], "init needs one of"],
  ["a workflow and an App", ["--workflow", "--github-app"], "init needs one of"],
  ["a repository without an owner", ["--gitea", "--repo", "tools"], "expected owner/name"],
  ["an address that is none", ["--gitea", "--url", "drover"], "expected an address"],
  ["an action that would be an option", ["--workflow", "--gitea", "--action", "a/b@--x"], "expected owner/name@ref"],
])("a wrong call is told: %s", async (_, args, words) => {
  const { code, err } = await drover(args);
  expect(code).toBe(2);
  expect(err).toContain(words);
});

test("all that was asked and answered is as Gitea describes it", () => {
  expect(gitea.requests).not.toEqual([]);
  expect(gitea.violations).toEqual([]);
});
