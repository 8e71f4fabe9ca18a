import { spawn } from "node:child_process";
import { bundleDrover } from "./bundle-drover.ts";
import { codeOfSignal } from "./child.ts";

const outcome = await bundleDrover({ root: process.cwd(), when: "if_needed" });
if (outcome.kind === "failed") {
  console.error(outcome.why);
  process.exitCode = 1;
} else {
  process.exitCode = await runDemo(outcome.path);
}

/** The demo has the terminal to itself; we only wait, and hand its ending on. */
function runDemo(path: string): Promise<number> {
  return new Promise((resolve) => {
    const args = ["--enable-source-maps", path, "demo", ...process.argv.slice(2)];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    // A terminal gives Ctrl-C to the demo as well; without one, whoever signals us means the demo.
    process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    process.on("SIGHUP", () => child.kill("SIGHUP"));
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(code ?? codeOfSignal(signal)));
  });
}
