import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { WebhookReading } from "#ports/webhook-source.ts";

const source = createGithubWebhook({ instance: InstanceId.parse("github.com"), secrets: ["next", "s3cret"] });
const repository = { id: 17, full_name: "ada/engine" };
const pullOf = (number: number): object => ({ repository: { id: "17", name: "ada/engine" }, number });

function read(
  event: string,
  content: unknown,
  more: Readonly<Record<string, string>> = {},
  reader = source,
): WebhookReading {
  const body = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  const signature = `sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`;
  const headers = { "x-github-event": event, "x-github-delivery": "d-1", "x-hub-signature-256": signature, ...more };
  return reader.read({ headers, body });
}

const opened = { action: "opened", number: 3, pull_request: { number: 3 }, repository };

function refusedFor(signature: string): string {
  const reading = read("pull_request", opened, { "x-hub-signature-256": signature });
  return reading.kind === "refused" ? reading.why : reading.kind;
}

describe("a comment", () => {
  const comment = { action: "created", issue: { number: 3, pull_request: { url: "…" } }, repository };

  it("on a pull says which one", () => {
    expect(read("issue_comment", comment)).toEqual({
      kind: "reference",
      pulls: [pullOf(3)],
      delivery: "d-1",
      event: "issue_comment.created",
    });
  });

  it("says who opened the pull, not who commented", () => {
    const issue = { ...comment.issue, user: { id: 7 } };
    expect(read("issue_comment", { ...comment, issue, sender: { id: 8 } })).toMatchObject({ author: "7" });
    const body = { ...opened, pull_request: { number: 3, user: { id: 9 } } };
    expect(read("pull_request", body)).toMatchObject({ author: "9" });
    expect(read("pull_request", { ...body, pull_request: { number: 3, user: null } })).toMatchObject({
      pulls: [pullOf(3)],
    });
  });

  it.each([{ number: 3 }, { number: 3, pull_request: null }])("on an issue is ignored: %j", (issue) => {
    expect(read("issue_comment", { ...comment, issue })).toEqual({ kind: "ignored", why: "issue_comment" });
  });
});

describe("a check", () => {
  const pulls = [
    { number: 3, base: { repo: { id: 17 } } },
    { number: 4, base: { repo: { id: 17 } } },
    { number: 3, base: { repo: { id: 17 } } },
    { number: 9, base: { repo: { id: 18 } } },
  ];

  it.each(["check_run", "check_suite", "workflow_run"])(
    "of the kind %s says each pull of its repository once",
    (event) => {
      const body = { action: "completed", [event]: { pull_requests: pulls }, repository };
      expect(read(event, body)).toMatchObject({ kind: "reference", pulls: [pullOf(3), pullOf(4)] });
    },
  );

  it("of another kind in the same body does not count", () => {
    const body = { action: "completed", check_suite: { pull_requests: pulls }, repository };
    expect(read("check_run", body)).toEqual({ kind: "refused", why: "malformed" });
  });

  it("with more pulls than GitHub would list is refused", () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ number: index + 1, base: { repo: { id: 17 } } }));
    const body = { check_run: { pull_requests: many }, repository };
    expect(read("check_run", body)).toEqual({ kind: "refused", why: "malformed" });
  });
});

describe("what Drover has done itself", () => {
  const bot = { id: 99 };
  const person = { id: 7 };
  const own = createGithubWebhook({
    instance: InstanceId.parse("github.com"),
    secrets: ["s3cret"],
    isBot: (account) => account === String(bot.id),
  });
  const comment = { action: "created", issue: { number: 3, pull_request: {} }, repository };
  const pull = { action: "submitted", pull_request: { number: 3 }, repository };
  const listed = [{ number: 3, base: { repo: { id: 17 } } }];
  const check = (name: string) => ({ action: "completed", check_run: { name, pull_requests: listed }, repository });

  it.each([
    ["issue_comment", comment],
    ["pull_request_review", pull],
    ["pull_request_review_comment", pull],
    ["pull_request_review_thread", pull],
    ["check_run", check("drover")],
  ])("is ignored where it is a %s", (event, body) => {
    expect(read(event, { ...body, sender: bot }, {}, own)).toEqual({ kind: "ignored", why: "own" });
    expect(read(event, { ...body, sender: person }, {}, own).kind).toBe("reference");
    expect(read(event, body, {}, own).kind).toBe("reference");
    expect(read(event, { ...body, sender: bot }).kind).toBe("reference");
  });

  it.each([
    ["pull_request", { ...pull, action: "synchronize" }],
    ["check_run", check("build")],
    ["check_suite", { action: "completed", check_suite: { pull_requests: listed }, repository }],
  ])("is looked into where others follow from it: %s", (event, body) => {
    expect(read(event, { ...body, sender: bot }, {}, own).kind).toBe("reference");
  });
});

describe("a signature", () => {
  it("of no kind that is known is as good as none", () => {
    expect(["", "sha256=", "sha1=00", "00"].map(refusedFor)).toEqual(["unsigned", "unsigned", "unsigned", "unsigned"]);
  });

  it("over other bytes is refused before anything of the body is looked at", () => {
    expect(refusedFor(`sha256=${"0".repeat(64)}`)).toBe("bad_signature");
    expect(refusedFor("sha256=nonsense")).toBe("bad_signature");
    expect(read("pull_request", "{", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` })).toMatchObject({
      why: "bad_signature",
    });
  });
});

describe("what is signed and odd all the same", () => {
  it.each([
    ["no JSON", "pull_request=3"],
    ["a part of the body is missing", '{"pull_request":{"number":3}'],
    ["no object", "[]"],
    ["no pull", { repository }],
    ["no repository", { pull_request: { number: 3 } }],
    ["a number as text", { pull_request: { number: "3" }, repository }],
    [
      "an id that is not exact any more",
      `{"pull_request":{"number":3},"repository":{"id":${"9".repeat(17)},"full_name":"a/b"}}`,
    ],
  ])("is refused: %s", (_what, content) => {
    expect(read("pull_request", content)).toEqual({ kind: "refused", why: "malformed" });
  });

  it.each([
    ["a number that no pull has", { pull_request: { number: 0 }, repository }],
    ["a number that the store has no room for", { pull_request: { number: 2 ** 31 }, repository }],
    ["a number of many digits", { pull_request: { number: 99_999_999_999 }, repository }],
    ["a name without an owner", { pull_request: { number: 3 }, repository: { id: 17, full_name: "engine" } }],
    ["a name with a zero in it", { pull_request: { number: 3 }, repository: { id: 17, full_name: "a/b\0" } }],
    [
      "a name of any length",
      { pull_request: { number: 3 }, repository: { id: 17, full_name: `a/${"b".repeat(101)}` } },
    ],
    ["a name that leads elsewhere", { pull_request: { number: 3 }, repository: { id: 17, full_name: "../.." } }],
    ["an owner that leads elsewhere", { pull_request: { number: 3 }, repository: { id: 17, full_name: "./engine" } }],
  ])("is refused for the name of it: %s", (_what, content) => {
    expect(read("pull_request", content)).toEqual({ kind: "refused", why: "no_such_name" });
  });

  it("is taken where a name only begins with dots", () => {
    const named = { id: 17, full_name: ".github/..." };
    expect(read("pull_request", { ...opened, repository: named })).toMatchObject({ kind: "reference" });
  });

  it.each(["", "Pull Request", "x".repeat(65), "pull_request, ping"])("is refused without an event: %s", (event) => {
    expect(read(event, opened)).toEqual({ kind: "refused", why: "no_event" });
  });

  it("is refused when it comes from a Gitea, which speaks of other repositories with the same ids", () => {
    expect(read("pull_request", opened, { "x-gitea-event": "pull_request" })).toEqual({
      kind: "refused",
      why: "wrong_forge",
    });
  });

  it("is taken without the parts that are for the log only", () => {
    const odd = read("pull_request", { ...opened, action: "O\npened" }, { "x-github-delivery": "a b" });
    expect(odd).toEqual({ kind: "reference", pulls: [pullOf(3)], delivery: null, event: "pull_request" });
  });

  it("says the last one of two pulls, like every other reader of JSON", () => {
    const twice =
      '{"pull_request":{"number":3},"repository":{"id":17,"full_name":"ada/engine"},"pull_request":{"number":4}}';
    expect(read("pull_request", twice)).toMatchObject({ pulls: [pullOf(4)] });
  });
});
