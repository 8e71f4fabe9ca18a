import { runNode } from "./child.ts";

const paths = process.argv.slice(2);
// The formatter comes last: what the linter rewrites is not formatted.
const fixers = [
  { script: "node_modules/oxlint/bin/oxlint", args: ["--fix", "--deny-warnings", ...paths] },
  { script: "node_modules/@biomejs/biome/bin/biome", args: ["check", "--write", ...paths] },
];
for (const fixer of fixers) {
  const end = await runNode({ ...fixer, output: "stdout" });
  process.exitCode = Math.max(Number(process.exitCode ?? 0), end.code);
}
