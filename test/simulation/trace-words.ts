import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { World } from "./world.ts";

/** One line for each thing that happens on the forge. */
export function changeWords(_world: World, { by, pull, what }: SandboxChange): string {
  const { kind, ...rest } = what;
  const facts = Object.entries(rest)
    .map(([name, value]) => `${name} ${short(value)}`)
    .join(", ");
  return `  [${by.login}${pull === null ? "" : ` #${pull.number}`}] ${kind}${facts === "" ? "" : `: ${facts}`}`;
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replaceAll(/[0-9a-f]{40}/g, (sha) => sha.slice(0, 7)).replaceAll("\n", "⏎");
  const most = Number(process.env["SIM_WIDTH"] ?? "160");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
