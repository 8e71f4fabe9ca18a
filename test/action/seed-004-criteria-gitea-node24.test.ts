import { existsSync } from "node:fs";
import { describe } from "vitest";
import { node24 } from "#processes/node24.ts";
import { testCriteria } from "./seed-004-criteria.ts";

describe.skipIf(!existsSync(node24))("started by Node 24", () => {
  testCriteria("gitea", { node: node24 });
});
