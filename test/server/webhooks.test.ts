import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkBody, delivery, get, headOf, openedBody, type Sent, secret, startServer } from "./server-world.ts";

async function post(sent: Partial<Sent> = {}): Promise<{ readonly status: number; readonly said: unknown }> {
  const world = await startServer();
  const body = sent.body ?? openedBody(3);
  const { status, body: text } = await world.ask(headOf({ body, ...sent }), body);
  return { status, said: JSON.parse(text) };
}

describe("a signed delivery", () => {
  it("is written down for the instance whose secret fits, and then answered with 202", async () => {
    const world = await startServer();
    const answer = await world.ask(delivery(3));
    expect(answer).toMatchObject({ status: 202, body: '{"taken":true}\n' });
    expect(world.accepted).toEqual([
      {
        instance: "github.example",
        pull: { repository: { id: "17", name: "ada/engine" }, number: 3 },
        delivery: "d-1",
        kind: "pull_request.opened",
        receivedAt: expect.any(Number),
      },
    ]);
  });

  it("of Gitea goes to its own path", async () => {
    const world = await startServer();
    const body = openedBody(4);
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "x-gitea-event": "pull_request", "x-gitea-delivery": "d-2", "x-gitea-signature": hex };
    const right = await world.ask(headOf({ body, path: "/webhooks/gitea", headers }), body);
    expect(right.status).toBe(202);
    expect(world.accepted).toMatchObject([{ instance: "gitea.example", delivery: "d-2" }]);
    const wrong = await world.ask(headOf({ body, headers }), body);
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.body)).toMatchObject({ refused: "wrong_forge" });
  });

  it("is in the log with the id that the answer has", async () => {
    const world = await startServer();
    const answer = await world.ask(delivery(3));
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}-1$/);
    expect(world.lines).toEqual([
      {
        level: "info",
        message: "webhook",
        facts: {
          request: answer.headers.get("x-request-id"),
          manner: "github",
          outcome: "taken",
          instance: "github.example",
          event: "pull_request.opened",
          delivery: "d-1",
          pulls: ["ada/engine#3"],
          ms: expect.any(Number),
        },
      },
    ]);
  });

  it("about several pulls is written down once for each", async () => {
    const world = await startServer();
    const body = checkBody([3, 4]);
    const answer = await world.ask(headOf({ body, headers: { "x-github-event": "check_run" } }), body);
    expect(answer.status).toBe(202);
    expect(world.accepted.map(({ pull }) => pull.number)).toEqual([3, 4]);
  });

  it("that needs no look is answered with 200, so that 202 always is a promise", async () => {
    expect(await post({ headers: { "x-github-event": "ping" } })).toEqual({ status: 200, said: { ignored: "ping" } });
    expect(await post({ headers: { "x-github-event": "push" } })).toMatchObject({ said: { ignored: "commit_only" } });
  });
});

describe("a delivery is refused", () => {
  it.each([
    ["with another secret", { secret: "a guess" }, 401, "bad_signature"],
    ["without a signature", { headers: { "x-hub-signature-256": undefined } }, 401, "unsigned"],
    ["with the older kind of signature only", { headers: { "x-hub-signature-256": "sha1=00" } }, 401, "unsigned"],
    ["without an event", { headers: { "x-github-event": undefined } }, 400, "no_event"],
    ["when it is no JSON", { body: Buffer.from("payload={}") }, 400, "malformed"],
    ["when it is empty", { body: Buffer.alloc(0) }, 400, "malformed"],
    ["as a form", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, "content_type"],
    ["without a content type", { headers: { "content-type": undefined } }, 415, "content_type"],
    ["when it is packed", { headers: { "content-encoding": "gzip" } }, 415, "content_type"],
  ] as const)("%s", async (_why, sent, status, why) => {
    expect(await post(sent)).toEqual({ status, said: { refused: why, hint: expect.any(String) } });
  });

  it.each(["application/json; charset=utf-8", "Application/JSON"])("but not for the content type %s", async (type) => {
    expect(await post({ headers: { "content-type": type } })).toMatchObject({ status: 202 });
  });

  it("when no such forge was set up", async () => {
    const world = await startServer({ sources: () => [] });
    expect(await world.ask(delivery(3))).toMatchObject({ status: 404 });
  });

  it("and nothing of a flood of them fills the log", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const client = await world.connect();
    for (let time = 0; time < 200; time++) client.send(headOf({ body, secret: "a guess" }), body);
    const answers = await client.answers(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(world.lines.length).toBeLessThan(100);
    expect(await world.metric('drover_webhooks_total{manner="github",outcome="refused",why="bad_signature"}')).toBe(
      200,
    );
  });
});

describe("other requests", () => {
  it.each(["/", "/webhooks", "/webhooks/gitlab", "/webhooks/github/", "/WEBHOOKS/github", "//healthz", "*"])(
    "to %s find nothing",
    async (path) => {
      const world = await startServer();
      expect(await world.ask(get(path))).toMatchObject({ status: 404 });
    },
  );

  it("with another method are told which ones there are", async () => {
    const world = await startServer();
    const got = await world.ask(get("/webhooks/github"));
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    const put = await world.ask("DELETE /metrics HTTP/1.1\r\nHost: drover\r\n\r\n");
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
