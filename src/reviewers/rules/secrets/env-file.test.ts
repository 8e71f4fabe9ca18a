import { describe, expect, it } from "vitest";
import { envFile } from "#reviewers/rules/secrets/env-file.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

const value = ["q7Vt", "x2Rm", "B9Lw", "4Hd"].join("");

describe("env-file", () => {
  it.each([
    [".env", `SESSION_SECRET=${value}`],
    ["app/.env.production", `export DB_PASSWORD="${value}"`],
    [".env.local", `STRIPE_API_KEY = '${value}'`],
  ])("finds a value in %s and never repeats it", async (path, line) => {
    const findings = await findingsOf(envFile, [newFile(path, "PORT=1", line)]);
    expect(findings.map(({ lines }) => lines.first)).toEqual([2]);
    expect(JSON.stringify(findings)).not.toContain(value);
    expect(line.startsWith(findings[0]?.snippet ?? "?")).toBe(true);
  });

  it.each([
    [".env.example", `SESSION_SECRET=${value}`],
    [".env.test", `SESSION_SECRET=${value}`],
    [".env", "SESSION_SECRET="],
    [".env", "SESSION_SECRET=changeme-please-1"],
    [".env", "SESSION_SECRET=$OTHER_SECRET_OF_42"],
    [".env", "DB_PASSWORD=postgres"],
    [".env", `VITE_API_KEY=${value}`],
    [".env", `PAGE_TITLE=${value}`],
    ["src/env.ts", `SESSION_SECRET=${value}`],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(envFile, [newFile(path, line)])).toEqual([]);
  });
});
