import { testScenarios } from "./seed-000-scenarios.ts";

testScenarios("gitea");
