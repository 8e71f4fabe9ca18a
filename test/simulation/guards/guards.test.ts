import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import type { Guard } from "./guard.ts";
import { guards } from "./guards.ts";
import { removeGuard } from "./remove-guard.ts";

const root = join(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

describe("the list of guards", () => {
  it.each(guards.map((guard) => [guard.name, guard] as const))("%s can be removed from its file", (_, guard) => {
    const source = read(guard.file);
    const mutated = removeGuard(guard, source);
    expect(mutated).not.toBe(source);
    expect(() => transformSync(mutated, { loader: "ts" })).not.toThrow();
  });

  it("names each guard once, and says what it is for in a sentence", () => {
    expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
    for (const { name, why } of guards) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(why).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("leaves no fewer to the simulation than it ever did", () => {
    const bySimulation = guards.filter(({ killedBy }) => killedBy === undefined);
    expect(bySimulation.length).toBeGreaterThanOrEqual(48);
  });

  it("names tests that are there", () => {
    const missing = guards
      .flatMap(({ killedBy }) => killedBy?.test ?? [])
      .filter((test) => !existsSync(join(root, test)));
    expect(missing).toEqual([]);
  });
});

const guard: Guard = { name: "g", why: "It matters.", file: "a.ts", text: "if (bad) return;", instead: "" };

describe("removing a guard", () => {
  it("replaces its text and leaves the rest", () => {
    expect(removeGuard({ ...guard, instead: "x();" }, "a();\nif (bad) return;\nb();")).toBe("a();\nx();\nb();");
  });

  it("rejects a text that is not there, or there twice", () => {
    expect(() => removeGuard(guard, "a();")).toThrow("g: its text occurs 0 times in a.ts");
    expect(() => removeGuard(guard, `${guard.text}${guard.text}`)).toThrow("occurs 2 times");
  });
});
