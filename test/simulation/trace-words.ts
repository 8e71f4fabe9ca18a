import type { SandboxChange } from "#forges/sandbox/sandbox.ts";

/** One line for each thing that happens on the forge. */
export function changeWords({ by, pull, what }: SandboxChange): string {
  const { kind, ...rest } = what;
  const facts = Object.entries(rest)
    .map(([name, value]) => `${name} ${short(value)}`)
    .join(", ");
  return `  [${by.login}${pull === null ? "" : ` #${pull.number}`}] ${kind}${facts === "" ? "" : `: ${facts}`}`;
}

/** Enough to tell one text from another. */
const lineMax = 160;

function short(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replaceAll(/[0-9a-f]{40}/g, (sha) => sha.slice(0, 7)).replaceAll("\n", "⏎");
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line;
}
