import { existsSync } from "node:fs";
import { describe } from "vitest";
import { node24 } from "./node24.ts";
import { testScenarios } from "./seed-000-scenarios.ts";

describe.skipIf(!existsSync(node24))("started by Node 24", () => {
  testScenarios("gitea", node24);
});
