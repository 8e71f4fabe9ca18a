import { EventEmitter, once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readOperatorConfig } from "#app/config/read-operator-config.ts";
import { runMinutesUsual } from "#app/run/run-minutes.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { init } from "#cli/init.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

let folder: string;
let github: GithubLike;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-init-"));
  const sandbox = createSandbox({
    host: createMemoryHost(createMemoryHub()),
    clock: createSystemClock(),
    manner: "github",
  });
  const bot = sandbox.addAccount({ login: "drover[bot]", kind: "bot" });
  github = await serveGithubLike({ sandbox, app: { bot } });
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

const Ready = z.object({
  kind: z.literal("ready"),
  url: z.string(),
  manifest: z.object({
    redirect_url: z.string(),
    hook_attributes: z.object({ url: z.string(), active: z.boolean() }),
    default_permissions: z.record(z.string(), z.string()),
    default_events: z.array(z.string()),
  }),
});
const Made = z.object({
  kind: z.literal("made"),
  id: z.number(),
  keyFile: z.string(),
  secretFile: z.string(),
  config: z.string(),
});

interface Call {
  readonly code: Promise<number>;
  readonly ready: Promise<z.infer<typeof Ready>>;
  readonly lines: readonly string[];
  readonly err: () => string;
  stop(): void;
}

const nothing = { data: "drover-data", json: true };

function call(options: Partial<Parameters<typeof init>[0]>): Call {
  const lines: string[] = [];
  const stopping = new AbortController();
  const heard = new EventEmitter();
  const ready = once(heard, "ready").then(([line]) => Ready.parse(JSON.parse(String(line))));
  const { terminal, said } = heardTerminal({
    out: (text) => {
      lines.push(text);
      if (text.includes('"kind":"ready"')) heard.emit("ready", text);
    },
  });
  const code = init({ ...nothing, ...options }, terminal, stopping.signal);
  return { code, ready, lines, err: () => said.err, stop: () => stopping.abort() };
}

const action = `acme/drover@${"a".repeat(40)}`;

test("a workflow names the action that was named, and none that nobody has", async () => {
  await expect(call({ workflow: true, folder }).code).rejects.toThrow("--action owner/name@COMMIT is needed");
  await expect(stat(join(folder, ".github"))).rejects.toThrow("ENOENT");
});

test("the workflow has the three triggers, one run for each pull, and no right that is not needed", async () => {
  expect(await call({ workflow: true, folder, action }).code).toBe(0);
  const text = await readFile(join(folder, ".github/workflows/drover.yml"), "utf8");
  // A failed check of the gate's own name would stand beside the gate, where a branch rule asks for that name.
  const made = z.object({ jobs: z.record(z.string(), z.unknown()) }).parse(parse(text));
  expect(Object.keys(made.jobs)).toEqual(["review"]);
  expect(made).toMatchObject({
    jobs: { review: { "runs-on": "ubuntu-latest", steps: [{ with: { secret: "${{ secrets.DROVER_SECRET }}" } }] } },
  });
  expect(text).toContain("types: [opened, synchronize, reopened, ready_for_review]");
  expect(text).toContain("issue_comment:\n    types: [created, edited]");
  expect(text).toContain("pull_request_review:\n    types: [submitted, edited]");
  expect(text).toContain("pull_request_review_comment:\n    types: [created, edited]");
  expect(text).toContain("cancel-in-progress: true");
  expect(text).toContain(`timeout-minutes: ${runMinutesUsual + 10}\n`);
  // What may write nothing cancels nothing.
  const { group } = z.object({ concurrency: z.object({ group: z.string() }) }).parse(parse(text)).concurrency;
  expect(group).toMatch(
    /^drover-\$\{\{ \((?<alone>.*)\) && github\.run_id \|\| github\.event\.pull_request\.number \|\| /,
  );
  expect(group).toContain("github.event.comment.user.type == 'Bot'");
  expect(group).toContain(
    "(startsWith(github.event_name, 'pull_request_review') && github.event.pull_request.head.repo.full_name != github.repository)",
  );
  const rights = /^ {4}permissions:\n(?<rights>[\s\S]*?)^ {4}steps:/m.exec(text)?.groups?.["rights"] ?? "";
  expect([...rights.matchAll(/^ {6}([\w-]+: \w+)$/gm)].map(([, right]) => right)).toEqual([
    "contents: read",
    "issues: write",
    "pull-requests: write",
    "statuses: write",
    "checks: read",
    "actions: read",
  ]);
  expect(text).toContain("permissions: {}");
  expect(text.match(/- uses: .*/g)).toEqual([`- uses: ${action}`]);
});

test("a workflow that is there is not written over, unless that is asked for", async () => {
  const path = join(folder, ".github/workflows/drover.yml");
  await writeFile(path, "mine\n");
  await expect(call({ workflow: true, folder, action }).code).rejects.toThrow("is there already");
  expect(await readFile(path, "utf8")).toBe("mine\n");
  const other = `acme/drover@${"b".repeat(40)}`;
  expect(await call({ workflow: true, folder, force: true, action: other }).code).toBe(0);
  expect(await readFile(path, "utf8")).toContain(`uses: ${other}\n`);
});

test("one of the two has to be asked for, and an action has to be named whole", async () => {
  await expect(call({}).code).rejects.toThrow("--workflow");
  await expect(call({ workflow: true, folder, action: "drover" }).code).rejects.toThrow("expected owner/name@ref");
});

test("the App is made by a form, a redirect and a code, and its keys are kept for their owner alone", async () => {
  const data = join(folder, "data");
  const asked = call({ githubApp: true, apiUrl: github.url, org: "acme", url: "https://drover.example/", data });
  const { url, manifest } = await asked.ready;
  expect(manifest.hook_attributes).toEqual({ url: "https://drover.example/webhooks/github", active: true });
  expect(manifest.redirect_url).toBe(`${url}/created`);
  expect(manifest.default_permissions).toEqual({
    actions: "read",
    checks: "write",
    contents: "write",
    issues: "write",
    metadata: "read",
    pull_requests: "write",
    statuses: "read",
  });
  const page = await (await fetch(url)).text();
  const [, state = ""] = /organizations\/acme\/settings\/apps\/new\?state=([0-9a-f]{32})/.exec(page) ?? [];
  expect(page).toContain('<input type="hidden" name="manifest" value="{&quot;name&quot;:');
  // Somebody else's link must not make us keep somebody else's App.
  expect((await fetch(`${url}/created?code=one&state=${"0".repeat(32)}`)).status).toBe(400);
  expect((await fetch(`${url}/created?state=${state}`)).status).toBe(400);
  // A code that GitHub does not know leaves everything as it is, and the page can be tried again.
  expect((await fetch(`${url}/created?code=unknown&state=${state}`)).status).toBe(502);
  const created = await fetch(`${url}/created?code=drover&state=${state}`);
  expect(created.status).toBe(200);
  expect(await asked.code).toBe(0);
  const made = Made.parse(JSON.parse(asked.lines.at(-1) ?? ""));
  for (const file of [made.keyFile, made.secretFile]) expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(join(data, ".gitignore"), "utf8")).toBe("*\n");
  expect(await readFile(made.keyFile, "utf8")).toContain("PRIVATE KEY");
  expect(asked.lines.join("")).not.toContain("PRIVATE KEY");
  expect(readOperatorConfig(made.config)).toMatchObject({
    kind: "read",
    config: {
      forges: [{ kind: "github", apiUrl: github.url, app: { id: made.id } }],
      budgets: { pullUsd: 3, dayUsd: 50 },
    },
  });
});

test("without an address of the server the App sends no webhooks yet; nobody coming back makes no App", async () => {
  const asked = call({ githubApp: true, apiUrl: github.url, data: join(folder, "none") });
  const { url, manifest } = await asked.ready;
  expect(manifest.hook_attributes.active).toBe(false);
  expect(await (await fetch(url)).text()).toContain(`${github.url}/settings/apps/new?state=`);
  asked.stop();
  expect(await asked.code).toBe(1);
  expect(asked.err()).toContain("no App was made");
});
