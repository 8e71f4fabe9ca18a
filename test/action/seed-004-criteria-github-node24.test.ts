import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { node24 } from "#processes/node24.ts";
import { testCriteria } from "./seed-004-criteria.ts";

describe.skipIf(!existsSync(node24))("started by Node 24", () => {
  test("as GitHub's runner would start it", () => {
    expect(readFileSync("action.yml", "utf8")).toContain("using: node24\n");
  });

  testCriteria("github", { node: node24 });
});
