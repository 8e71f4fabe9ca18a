import { BENCHES, type ChosenBench, chooseBenches } from "./bench-arguments.ts";
import { bundleDrover } from "./bundle-drover.ts";
import { loadBundled } from "./load-bundled.ts";

const chosen = chooseBenches(process.argv.slice(2));
switch (chosen.kind) {
  case "list":
    console.log(chosen.text);
    break;
  case "wrong":
    console.error(chosen.message);
    process.exitCode = 2;
    break;
  case "run":
    for (const bench of chosen.benches) {
      await runBench(bench);
    }
    break;
}

async function runBench({ name, options }: ChosenBench): Promise<void> {
  const built = await bundleDrover({ root: process.cwd(), when: "if_needed" });
  if (built.kind === "failed") console.error(`bench ${name}: ${built.why}`);
  for (const part of BENCHES[name].parts) {
    const loaded = await loadBundled(part);
    if (loaded.kind === "failed") {
      console.error(`bench ${name}: ${loaded.why}`);
      process.exitCode = 1;
    } else {
      await loaded.call((line: string) => console.log(line), options);
    }
  }
}
