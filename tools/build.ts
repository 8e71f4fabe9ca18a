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
