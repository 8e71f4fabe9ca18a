import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { admits } from "./node-range.ts";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      engines: z.union([z.object({ node: z.string().optional() }), z.array(z.string())]).optional(),
    }),
  ),
});

/** The oldest Node that `engines` in package.json admits. */
const oldestNode = [20, 19, 0] as const;

describe("package-lock.json", async () => {
  const { packages } = Lock.parse(JSON.parse(await readFile("package-lock.json", "utf8")));

  it("has no package that refuses the oldest Node that Drover runs on", () => {
    const refusing = Object.entries(packages).filter(([, { engines }]) => {
      const range = engines === undefined || Array.isArray(engines) ? undefined : engines.node;
      return range !== undefined && !admits(range, oldestNode);
    });
    expect(refusing.map(([name]) => name)).toEqual([]);
  });

  it("names no registry: whoever installs takes their own", () => {
    const named = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
    expect(named.map(([name]) => name)).toEqual([]);
  });
});

describe("a range of Node versions", () => {
  it.each([
    ">=18",
    ">= 20",
    ">=20.18.1",
    "^20.19.0 || >=22.12.0",
    "*",
    ">=14.21.3",
    "18 || 20",
    "^18.0.0 || >=20.0.0 <21",
  ])("%s admits 20.19.0", (range) => {
    expect(admits(range, oldestNode)).toBe(true);
  });

  it.each([">=22", "^22.0.0 || ^24.0.0", ">=20.19.1", "^18.0.0", ">=18 <20", "> 20.19.0", "18 || 22"])(
    "%s does not",
    (range) => {
      expect(admits(range, oldestNode)).toBe(false);
    },
  );
});
