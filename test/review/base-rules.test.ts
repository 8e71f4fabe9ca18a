import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocking, type CheckoutWorld, harmless, openCheckoutWorld, type TestCheckout } from "./checkout-world.ts";

/** Somebody wants to be reviewed by rules of their own. */

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(async () => {
  await world.close();
});

const blind = "reviews: { excludedPaths: ['*'] }\n";

async function isFound(checkout: TestCheckout, call: Parameters<TestCheckout["review"]>[0] = {}): Promise<boolean> {
  const { out, err } = await checkout.review({ format: "json", ...call });
  if (out === "") throw new Error(err);
  return JSON.parse(out).findings.length > 0;
}

describe("rules that a change brings along", () => {
  it.each(["usual", "staged", "committed"])("do not hold for it: %s", async (how) => {
    const checkout = await world.makeCheckout(`brought-${how}`);
    await checkout.git("switch", "--quiet", "--create", "work");
    const files = { ".drover.yml": blind, "src/loud.ts": blocking };
    if (how === "committed") await checkout.commit(files);
    else await checkout.write(files);
    if (how === "staged") await checkout.git("add", "--all");
    expect(await isFound(checkout, { staged: how === "staged" })).toBe(true);
  });

  it("do not hold where the base took them in once, and put them right", async () => {
    const checkout = await world.makeCheckout("taken-in");
    await checkout.git("switch", "--quiet", "--create", "first");
    await checkout.commit({ ".drover.yml": blind }, "Try something");
    const start = await checkout.git("rev-parse", "HEAD");
    await checkout.git("rm", "--quiet", ".drover.yml");
    await checkout.commit({ "src/a.ts": harmless }, "Take it back");
    await checkout.git("switch", "--quiet", "main");
    await checkout.git("merge", "--quiet", "--no-ff", "--message", "Merge", "first");
    await checkout.git("switch", "--quiet", "--create", "second", start);
    await checkout.commit({ "src/loud.ts": blocking });
    expect(await isFound(checkout)).toBe(true);
    expect(await isFound(checkout, { base: "main" })).toBe(true);
    expect(await isFound(checkout, { range: "main...second" })).toBe(true);
    // Whoever names that very commit has chosen it.
    expect(await isFound(checkout, { range: `${start}..second` })).toBe(false);
  });
});

describe("rules of the base", () => {
  it("hold as they are there now, for a branch that left it before", async () => {
    const checkout = await world.makeCheckout("later");
    await checkout.git("branch", "work");
    await checkout.commit({ ".drover.yml": blind });
    await checkout.git("switch", "--quiet", "work");
    await checkout.commit({ "src/loud.ts": blocking });
    expect(await isFound(checkout, { base: "main" })).toBe(false);
  });

  it("are no link, and nothing that ends the program", async () => {
    const checkout = await world.makeCheckout("odd");
    await checkout.write({ "rules/blind.yml": blind });
    await checkout.link(".drover.yml", "rules/blind.yml");
    await checkout.commit({});
    await checkout.write({ "src/loud.ts": blocking });
    expect(await isFound(checkout)).toBe(true);
    await checkout.git("rm", "--quiet", "--force", ".drover.yml");
    await checkout.commit({ ".drover.yml": `reviews: ${"[".repeat(20_000)}` });
    await checkout.write({ "src/louder.ts": blocking });
    const { code, err } = await checkout.review();
    expect({ code, err }).toEqual({ code: 1, err: "warning: .drover.yml: it is nested too deeply\n" });
  });
});
