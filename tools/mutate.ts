import * as z from "zod";
import { loadBundled } from "./load-bundled.ts";
import { MUTATE_USAGE, type MutateArguments, parseMutateArguments } from "./mutate-arguments.ts";

const count = z.number().int().nonnegative();
const GuardsEnd = z.object({ survived: count, unsound: count, unknown: z.array(z.string()) });

const parsed = parseMutateArguments(process.argv.slice(2));
switch (parsed.kind) {
  case "help":
    console.log(MUTATE_USAGE);
    break;
  case "wrong":
    console.error(`${parsed.message}\n${MUTATE_USAGE}`);
    process.exitCode = 2;
    break;
  case "run":
    process.exitCode = await mutate(parsed.arguments);
    break;
}

async function mutate(options: MutateArguments): Promise<number> {
  const loaded = await loadBundled({ path: "test/simulation/guards/run-guards.ts", name: "runGuards" });
  if (loaded.kind === "failed") {
    console.error(loaded.why);
    return 1;
  }
  const end = await loaded.call({ ...options, root: process.cwd(), print: (line: string) => console.log(line) });
  const { survived, unsound, unknown } = GuardsEnd.parse(end);
  for (const name of unknown) {
    console.error(`there is no guard ${name}; test/simulation/guards lists them`);
  }
  if (unknown.length > 0) {
    return 2;
  }
  return survived + unsound > 0 ? 1 : 0;
}
