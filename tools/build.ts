import { actionBundle, bundleAction } from "./bundle-action.ts";
import { bundleDrover } from "./bundle-drover.ts";

const startedAt = performance.now();
const outcome = await bundleDrover({ root: process.cwd(), when: "always" });
if (outcome.kind === "failed") {
  console.error(outcome.why);
  process.exitCode = 1;
} else if (outcome.kind === "built") {
  const kilobytes = Math.ceil(outcome.bytes / 1000);
  console.log(`${outcome.path}: ${kilobytes} kB in ${Math.round(performance.now() - startedAt)} ms`);
}

const actionStartedAt = performance.now();
const actionBytes = await bundleAction(process.cwd());
console.log(
  `${actionBundle}: ${Math.ceil(actionBytes / 1000)} kB in ${Math.round(performance.now() - actionStartedAt)} ms`,
);
