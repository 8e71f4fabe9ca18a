import { addedCode } from "#reviewers/rules/changed-file.ts";
import { isWorkflow } from "#reviewers/rules/ci/workflow-file.ts";
import { hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const writeAllPermissions: Rule = {
  name: "write-all-permissions",
  title: "CI token that may do everything",
  score: 6,
  catches: "`permissions: write-all` in a workflow. Permissions that are named one by one are left alone.",
  example: "permissions: write-all",
  scope: "written",
  applies: isWorkflow,
  check: (file) =>
    addedCode(file)
      .filter((line) => /^\s*permissions\s*:\s*["']?write-all["']?\s*(?:#.*)?$/.test(line.text))
      .map((line) => hitLine(line.number, { score: 6, message })),
};

const message =
  "The token of this workflow may write everything: code, releases, packages. Give it what it needs, such as `contents: read`, and more only to the job that needs it.";
