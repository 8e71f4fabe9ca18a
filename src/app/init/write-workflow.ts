import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { descriptorOf } from "#app/forge/forge-table.ts";
import { runMinutesUsual } from "#app/run/run-minutes.ts";
import { hasCode } from "#core/error-code.ts";
import type { WorkflowTemplate } from "#forges/forge-descriptor.ts";

export function findWorkflow(kind: string): WorkflowTemplate | undefined {
  return descriptorOf(kind).workflow;
}

/** Time to report how the run ended. */
const marginMinutes = 10;

export async function writeWorkflow(
  { path, textOf }: WorkflowTemplate,
  options: { readonly folder: string; readonly action: string; readonly mayOverwrite: boolean },
): Promise<"written" | "there_already"> {
  const file = join(options.folder, path);
  const text = textOf({ action: options.action, timeoutMinutes: runMinutesUsual + marginMinutes });
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: options.mayOverwrite ? "w" : "wx" });
    return "written";
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "there_already";
    throw error;
  }
}
