import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleEntry } from "#processes/bundle-entry.ts";
import { blocking, type CheckoutWorld, harmless, openCheckoutWorld } from "./checkout-world.ts";

/** The program itself, as a user and a hook start it. */

let world: CheckoutWorld;
let script: string;
beforeAll(async () => {
  [world, script] = await Promise.all([openCheckoutWorld(), bundleEntry("src/cli/drover.ts")]);
});
afterAll(async () => {
  await world.close();
});

async function drover(cwd: string, args: readonly string[], input: string | Uint8Array = "") {
  const env = { PATH: process.env["PATH"], HOME: world.folder };
  const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: "pipe" });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  child.stdin.end(input);
  await once(child, "close");
  return { code: child.exitCode, ...said };
}

describe("drover review", () => {
  test("reviews the checkout that it is called in, and says nothing but the report", async () => {
    const checkout = await world.makeCheckout("called");
    await checkout.write({ "a.ts": blocking });
    const { code, out, err } = await drover(checkout.folder, ["review"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(/^a\.ts\n {2}blocking debugger-statement/);
    expect(out).toMatch(/against HEAD \([0-9a-f]{10}\)\. [0-9.]+ m?s\n$/);
    const never = await drover(checkout.folder, ["review", "--json", "--fail-on", "never"]);
    expect(never.code).toBe(0);
    expect(JSON.parse(never.out)).toMatchObject({ version: 1, worst: "blocking", counts: { blocking: 1 } });
  });

  test("takes a diff from standard input, whatever its bytes are", async () => {
    const head =
      "diff --git a/x.ts b/x.ts\nnew file mode 100644\n--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1,2 @@\n+debugger;\n";
    const input = Buffer.concat([
      Buffer.from(head),
      Buffer.from([0x2b, 0x2f, 0x2f, 0xff, 0xfe, 0x1b, 0x5b, 0x33, 0x0a]),
    ]);
    const { code, out } = await drover(world.folder, ["review", "--diff", "-"], input);
    expect(code).toBe(1);
    expect(out).toContain("the diff from standard input");
    expect(out).toContain("2 │ //\ufffd\ufffd<U+001B>[3");
  });

  test("ends with 2 and what to do where the call is wrong", async () => {
    expect(await drover(world.folder, ["review", "--based", "main"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("See drover review --help."),
    });
    expect(await drover(world.folder, ["review"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("is in no git checkout"),
    });
  });
});

describe("as a hook before commits", () => {
  test("it stops exactly what is about to be committed", async () => {
    const checkout = await world.makeCheckout("hooked");
    await checkout.write({
      ".git/hooks/pre-commit": `#!/bin/sh\nexec "${process.execPath}" "${script}" review --staged\n`,
    });
    await checkout.makeExecutable(".git/hooks/pre-commit");
    await checkout.write({ "src/old.ts": blocking });
    await checkout.git("commit", "--quiet", "--allow-empty", "--message", "Not this file");
    // `--all` fills an index of its own, and tells the hook where it is.
    await expect(checkout.git("commit", "--all", "--message", "Bad")).rejects.toThrow("debugger-statement");
    await checkout.write({ "src/old.ts": harmless.replace("1", "2"), "untracked.ts": blocking });
    await checkout.git("commit", "--quiet", "--all", "--message", "Good");
    expect(await checkout.git("log", "-1", "--format=%s")).toBe("Good");
  });
});
