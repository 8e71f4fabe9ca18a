import { describe, expect, it } from "vitest";
import type { Intake } from "#ports/intake.ts";
import { checkBody, delivery, get, headOf, startServer } from "./server-world.ts";

const never: Intake = { accept: () => new Promise(() => undefined) };
const busy: Intake = { accept: async () => "busy" };
const broken: Intake = { accept: () => Promise.reject(new Error("out of order")) };
const limits = { answerMsMax: 50, metricsMsMax: 50 };

function check(numbers: readonly number[]): string {
  const body = checkBody(numbers);
  return headOf({ body, headers: { "x-github-event": "check_run" } }) + body.toString();
}

describe("an intake", () => {
  it("that never answers costs a delivery a bounded wait, and then 503", async () => {
    const world = await startServer({ intake: never, limits });
    const answer = await world.ask(delivery(3));
    expect(answer).toMatchObject({ status: 503, body: '{"busy":"intake"}\n' });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await world.metric('drover_webhooks_total{manner="github",outcome="busy",why="intake"}')).toBe(1);
  });

  it("that has too much to do is answered for with 503", async () => {
    const world = await startServer({ intake: busy });
    expect(await world.ask(delivery(3))).toMatchObject({ status: 503 });
    expect(world.lines).toMatchObject([{ level: "warn", facts: { outcome: "busy", why: "intake" } }]);
  });

  it("that fails is answered for with 503, and the log says why", async () => {
    const world = await startServer({ intake: broken });
    const answer = await world.ask(delivery(3));
    expect(answer.status).toBe(503);
    const request = answer.headers.get("x-request-id");
    expect(world.lines).toMatchObject([
      { level: "error", facts: { request, why: "out of order" } },
      { level: "warn", facts: { request, outcome: "busy", why: "failure" } },
    ]);
  });

  it("that takes only one of two pulls has not taken the delivery", async () => {
    const half: Intake = { accept: async ({ pull }) => (pull.number === 3 ? "accepted" : "busy") };
    const world = await startServer({ intake: half });
    expect(await world.ask(check([3]))).toMatchObject({ status: 202 });
    expect(await world.ask(check([3, 4]))).toMatchObject({ status: 503 });
  });
});

describe("while the database stands still", () => {
  it("the process says that it is alive, and shows its own metrics", async () => {
    const world = await startServer({ intake: never, metrics: () => new Promise(() => undefined), limits });
    expect(await world.ask(get("/healthz"))).toMatchObject({ status: 200, body: "ok\n" });
    expect(await world.metric("drover_metrics_complete")).toBe(0);
    expect(await world.metric("drover_webhooks_waiting")).toBe(0);
  });

  it("hundreds of deliveries wait together and are all told", async () => {
    const world = await startServer({ intake: never, limits: { answerMsMax: 400 } });
    const all = Array.from({ length: 300 }, (_, index) => world.ask(delivery(index + 1)));
    const answers = await Promise.all(all);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });
});
