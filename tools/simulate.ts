import { randomInt } from "node:crypto";
import * as z from "zod";
import { loadBundled } from "./load-bundled.ts";
import { parseSimulateArguments, SIMULATE_USAGE, type SimulateArguments } from "./simulate-arguments.ts";

const SimulationEnd = z.object({ failed: z.number().int().nonnegative() });

const parsed = parseSimulateArguments(process.argv.slice(2), (bound) => randomInt(bound));
switch (parsed.kind) {
  case "help":
    console.log(SIMULATE_USAGE);
    break;
  case "wrong":
    console.error(`${parsed.message}\n${SIMULATE_USAGE}`);
    process.exitCode = 2;
    break;
  case "run":
    process.exitCode = await simulate(parsed.arguments);
    break;
}

async function simulate(options: SimulateArguments): Promise<number> {
  const loaded = await loadBundled({ path: "test/simulation/run-simulation.ts", name: "runSimulation" });
  if (loaded.kind === "failed") {
    console.error(loaded.why);
    return 1;
  }
  const end = await loaded.call({ ...options, print: (line: string) => console.log(line) });
  return SimulationEnd.parse(end).failed > 0 ? 1 : 0;
}
