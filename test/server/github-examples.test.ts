import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { InstanceId } from "#core/model/ids.ts";
import { fieldTree } from "#forges/field-tree.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import { readSignedJson } from "#forges/signed-json.ts";
import type { WebhookReading } from "#ports/webhook-source.ts";

/** Deliveries that GitHub has really sent, of every kind. */
const Examples = z.array(
  z.object({ name: z.string(), examples: z.array(z.looseObject({ action: z.string().optional() })) }),
);

interface Example {
  readonly event: string;
  readonly action: string | undefined;
  readonly body: Buffer;
  readonly content: Readonly<Record<string, unknown>>;
}

let examples: readonly Example[] = [];

beforeAll(async () => {
  const require = createRequire(import.meta.url);
  const file = require.resolve("@octokit/webhooks-examples");
  examples = Examples.parse(JSON.parse(await readFile(file, "utf8"))).flatMap(({ name, examples: all }) =>
    all.map((content) => ({
      event: name,
      action: content.action,
      body: Buffer.from(JSON.stringify(content)),
      content,
    })),
  );
});

const source = createGithubWebhook({ instance: InstanceId.parse("github.com"), secrets: ["s3cret"] });

function read({ event, body }: Pick<Example, "event" | "body">, secret = "s3cret"): WebhookReading {
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "x-github-event": event, "x-github-delivery": "d-1", "x-hub-signature-256": signature };
  return source.read({ headers, body });
}

const Named = z.object({
  repository: z.object({ id: z.number(), full_name: z.string() }),
  pull_request: z.object({ number: z.number() }),
});

function pullOf(content: unknown): object {
  const { repository, pull_request } = Named.parse(content);
  return { repository: { id: String(repository.id), name: repository.full_name }, number: pull_request.number };
}

function eventsOf(readings: readonly (readonly [Example, WebhookReading])[], why: string): readonly string[] {
  const found = readings.filter(([, reading]) => reading.kind === "ignored" && reading.why === why);
  return [...new Set(found.map(([{ event }]) => event))].toSorted();
}

describe("deliveries of GitHub", () => {
  it("are all of them taken or ignored when they are signed", () => {
    expect(examples.length).toBeGreaterThan(300);
    const refused = examples.filter((example) => read(example).kind === "refused");
    expect(refused.map(({ event, action }) => `${event}.${action}`)).toEqual([]);
  });

  it("are all of them refused when they are signed with another secret", () => {
    const readings = new Set(examples.map((example) => JSON.stringify(read(example, "another secret"))));
    expect([...readings]).toEqual([JSON.stringify({ kind: "refused", why: "bad_signature" })]);
  });

  it("about a pull, its reviews, remarks and threads say which one", () => {
    const about = examples.filter(({ event }) => event.startsWith("pull_request"));
    expect([...new Set(about.map(({ event }) => event))]).toEqual([
      "pull_request",
      "pull_request_review",
      "pull_request_review_comment",
      "pull_request_review_thread",
    ]);
    for (const example of about) {
      expect(read(example)).toEqual({
        kind: "reference",
        pulls: [pullOf(example.content)],
        author: expect.stringMatching(/^\d+$/),
        delivery: "d-1",
        event: `${example.event}.${example.action}`,
      });
    }
  });

  it("about a check say the pulls of the same repository", () => {
    const checks = examples.filter(({ event }) => ["check_run", "check_suite", "workflow_run"].includes(event));
    const seen = checks.map((example) => {
      const reading = read(example);
      const numbers = reading.kind === "reference" ? reading.pulls.map(({ number }) => number) : [];
      return `${example.event}: ${numbers.join(", ")}`;
    });
    expect([...new Set(seen)].toSorted()).toEqual([
      "check_run: ",
      "check_run: 2",
      "check_run: 26764",
      "check_suite: ",
      "check_suite: 2",
      // One of them lists a pull of another repository, whose number would be that of another pull here.
      "workflow_run: ",
    ]);
  });

  it("that name no pull are ignored with a reason", () => {
    const readings = examples.map((example) => [example, read(example)] as const);
    expect(eventsOf(readings, "ping")).toEqual(["ping"]);
    expect(eventsOf(readings, "commit_only")).toEqual(["push", "status", "workflow_job"]);
    expect(eventsOf(readings, "no_pull_named")).toEqual(["check_run", "check_suite", "workflow_run"]);
    expect(eventsOf(readings, "issue_comment")).toEqual(["issue_comment"]);
    expect(eventsOf(readings, "installation")).toEqual(["installation", "installation_repositories"]);
  });

  it("about pulls are read without building the whole of them", () => {
    const about = examples.filter(({ event }) => /^(?:pull_request|check|issue_comment)/.test(event));
    const long = about.filter(({ body }) => readSignedJson(body, fieldTree(["repository.id"])) === undefined);
    expect(long.map(({ event, action }) => `${event}.${action}`)).toEqual([]);
  });
});
