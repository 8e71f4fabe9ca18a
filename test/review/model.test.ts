import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelProvider, modelWords, openModelProvider } from "#harness/model-provider.ts";
import { blocking, type CheckoutWorld, openCheckoutWorld, type TestCheckout } from "./checkout-world.ts";

let world: CheckoutWorld;
let provider: ModelProvider;
let checkout: TestCheckout;
beforeAll(async () => {
  [world, provider] = await Promise.all([openCheckoutWorld(), openModelProvider()]);
  checkout = await world.makeCheckout("model");
  await checkout.write({ "src/loud.ts": blocking });
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

const model = "anthropic/claude-sonnet-4-5";
const env = { ANTHROPIC_API_KEY: "key-9f8e-not-for-anybody" };
const config =
  "models: { main: { chain: [{ provider: anthropic, model: claude-sonnet-4-5 }] } }\nrules: { reviews: { roles: [{ name: deep, reviewer: model, problemScore: 9, blockingScore: 9 }, { name: fixed, reviewer: rules }] } }\n";

async function review(call: Parameters<TestCheckout["review"]>[0], given: Readonly<Record<string, string>> = env) {
  const before = provider.asked().length;
  const called = await checkout.review(call, { env: given, files: { "c.yml": config }, fetch: provider.fetch });
  return { ...called, asked: provider.asked().length - before };
}

describe("a change on this machine", () => {
  it("is looked at by a model that was named, beside the rules", async () => {
    const { code, out, err, asked } = await review({ model, format: "json" });
    expect({ code, asked, err }).toEqual({ code: 1, asked: 3, err: "" });
    const report = JSON.parse(out);
    expect(report.roles).toMatchObject([
      { role: "general", reviewer: "model", state: "completed" },
      { role: "rules", reviewer: "rules", state: "completed" },
    ]);
    expect(report.findings).toContainEqual(expect.objectContaining({ role: "general", message: modelWords }));
    expect(report.costMicroUsd).toBeGreaterThan(0);
    expect(out).not.toContain("key-9f8e");
  });

  it("is waited for with a word about why, and when the model is asked again, beside the report", async () => {
    const stop = new AbortController();
    const told: string[] = [];
    const onErr = (text: string): void => {
      told.push(text);
      // Nobody here has the time to see it tried four times.
      if (text.includes("asking again")) stop.abort();
    };
    provider.refuse(529);
    const call = { model, format: "json" } as const;
    const { code, out } = await checkout.review(call, { env, fetch: provider.fetch, signal: stop.signal, onErr });
    provider.refuse(null);
    expect(code).toBe(1);
    expect(JSON.parse(out).roles).toMatchObject([{ role: "general", state: "failed" }, { role: "rules" }]);
    expect(told.join("\n")).toMatch(/asking again in [23] s: anthropic\/claude-sonnet-4-5 is not available \(529\)/);
  });

  it("costs nothing merely because there is a key", async () => {
    const { code, asked, out } = await review({ format: "json" });
    expect({ code, asked, cost: JSON.parse(out).costMicroUsd }).toEqual({ code: 1, asked: 0, cost: 0 });
  });

  it("is not looked at where the model that was named cannot be asked", async () => {
    const keyless = await review({ model }, {});
    expect({ code: keyless.code, asked: keyless.asked }).toEqual({ code: 2, asked: 0 });
    expect(keyless.err).toContain("ANTHROPIC_API_KEY is not set");
    for (const wrong of ["claude-sonnet-4-5", "bard/x", "anthropic/"]) {
      expect((await review({ model: wrong })).err).toContain(
        "expected PROVIDER/MODEL, where the provider is one of anthropic, openai, google, openrouter",
      );
    }
    expect((await review({ model: "compatible/qwen" })).err).toContain("--config FILE");
  });

  it("is looked at by the rules of a team whose keys are elsewhere, and the other role is said not to have run", async () => {
    const { code, out, asked } = await review({ config: "c.yml", format: "json" }, {});
    expect({ code, asked }).toEqual({ code: 1, asked: 0 });
    expect(JSON.parse(out).roles).toMatchObject([
      { role: "deep", state: "not_run", words: expect.stringContaining("ANTHROPIC_API_KEY is not set") },
      { role: "fixed", state: "completed" },
    ]);
  });

  it("needs no key for roles that nobody asked for", async () => {
    const { code, asked } = await review({ config: "c.yml", role: "fixed" }, {});
    expect({ code, asked }).toEqual({ code: 1, asked: 0 });
    const alone = await review({ config: "c.yml", role: "deep" }, {});
    expect(alone.code).toBe(2);
    expect(alone.err).toContain("ANTHROPIC_API_KEY is not set");
  });

  it("is no pass where a role could read nothing for the budget, and says what was not read", async () => {
    const quiet = await world.makeCheckout("unpaid");
    await quiet.write({ "src/quiet.ts": "export const quiet = 1;\n" });
    const before = provider.asked().length;
    const call = { model, budget: "0.0001", format: "json" } as const;
    const { code, out } = await quiet.review(call, { env, fetch: provider.fetch });
    expect({ code, asked: provider.asked().length - before }).toEqual({ code: 1, asked: 0 });
    const { roles, coverage } = JSON.parse(out);
    expect(roles).toMatchObject([
      { role: "general", state: "failed", words: expect.stringContaining("Not read: of `--budget` $0.0001") },
      { role: "rules", state: "completed" },
    ]);
    expect(coverage.unread).toEqual([{ path: "src/quiet.ts", why: "budget" }]);
    const paid = await quiet.review({ ...call, budget: "5" }, { env, fetch: provider.fetch });
    expect(JSON.parse(paid.out).roles[0]).toMatchObject({ state: "completed" });
  });

  it("is not begun with a budget for a model without a price, and says what to do", async () => {
    const call = { model: "openrouter/somebody/odd", budget: "1" };
    const { code, err, asked } = await review(call, { ...env, OPENROUTER_API_KEY: "key-9f8e-not-for-anybody" });
    expect({ code, asked }).toEqual({ code: 2, asked: 0 });
    expect(err).toContain('Set its price under "prices" in the configuration (--config FILE), or leave --budget out.');
  });

  it("is judged by each role's own thresholds", async () => {
    const { out } = await review({ config: "c.yml", format: "json" });
    const { findings, counts } = JSON.parse(out);
    // The model gives it an 8, which is nothing to a role that begins at 9.
    expect(findings.map(({ role }: { readonly role: string }) => role)).toEqual(["fixed"]);
    expect(counts.blocking).toBe(1);
  });
});

describe("the file of the base", () => {
  it("holds for a change on this machine, and that of the change does not", async () => {
    const own = await world.makeCheckout("base-rules");
    await own.commit({ ".drover.yml": "handle: '@me'\nreviews: { excludedPaths: [gen/] }\n" });
    await own.write({
      "gen/loud.ts": blocking,
      "src/loud.ts": blocking,
      ".drover.yml": "reviews: { excludedPaths: [src/] }\n",
    });
    const { out, err } = await own.review({ format: "json" });
    const { findings, coverage } = JSON.parse(out);
    expect(findings.map(({ path }: { readonly path: string }) => path)).toEqual(["src/loud.ts"]);
    expect(coverage.unread).toContainEqual({ path: "gen/loud.ts", why: "excluded" });
    expect(err).toBe("warning: .drover.yml: handle: only the operator can set it\n");
  });
});
