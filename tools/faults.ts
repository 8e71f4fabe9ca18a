import * as z from "zod";
import { FAULTS_USAGE, type FaultsArguments, parseFaultsArguments } from "./faults-arguments.ts";
import { loadBundled } from "./load-bundled.ts";

const FaultsEnd = z.object({ isSound: z.boolean() });

const parsed = parseFaultsArguments(process.argv.slice(2));
switch (parsed.kind) {
  case "help":
    console.log(FAULTS_USAGE);
    break;
  case "wrong":
    console.error(`${parsed.message}\n${FAULTS_USAGE}`);
    process.exitCode = 2;
    break;
  case "run":
    process.exitCode = await runFaults(parsed.arguments);
    break;
}

async function runFaults(options: FaultsArguments): Promise<number> {
  const loaded = await loadBundled({ path: "test/processes/run-faults.ts", name: "runFaults" });
  if (loaded.kind === "failed") {
    console.error(loaded.why);
    return 1;
  }
  const end = await loaded.call({ ...options, print: (line: string) => console.log(line) });
  return FaultsEnd.parse(end).isSound ? 0 : 1;
}
