import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { workflowFile } from "#app/init/workflow-file.ts";

export const workflowPath = ".github/workflows/drover.yml";

/** Never over a file that is there, unless that was asked for. */
export async function writeWorkflow(options: {
  readonly folder: string;
  readonly action: string;
  readonly mayOverwrite: boolean;
}): Promise<"written" | "there_already"> {
  const path = join(options.folder, workflowPath);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, workflowFile(options), { flag: options.mayOverwrite ? "w" : "wx" });
    return "written";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return "there_already";
    throw error;
  }
}
