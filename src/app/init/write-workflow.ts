import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { giteaWorkflowFile } from "#app/init/gitea-workflow-file.ts";
import { githubWorkflowFile } from "#app/init/github-workflow-file.ts";
import { hasCode } from "#core/error-code.ts";

export type WorkflowForge = "github" | "gitea";

/** Gitea looks into GitHub's folder only where it has none of its own. */
export const workflowPaths: Readonly<Record<WorkflowForge, string>> = {
  github: ".github/workflows/drover.yml",
  gitea: ".gitea/workflows/drover.yml",
};

/** Never over a file that is there, unless that was asked for. */
export async function writeWorkflow(options: {
  readonly forge: WorkflowForge;
  readonly folder: string;
  readonly action: string;
  readonly mayOverwrite: boolean;
}): Promise<"written" | "there_already"> {
  const path = join(options.folder, workflowPaths[options.forge]);
  const text = options.forge === "gitea" ? giteaWorkflowFile(options) : githubWorkflowFile(options);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: options.mayOverwrite ? "w" : "wx" });
    return "written";
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "there_already";
    throw error;
  }
}
