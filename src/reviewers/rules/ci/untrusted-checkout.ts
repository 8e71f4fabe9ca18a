import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { isComment, isWorkflow } from "#reviewers/rules/ci/workflow-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const untrustedCheckout: Rule = {
  name: "untrusted-checkout",
  title: "Code of strangers checked out with secrets at hand",
  score: 9,
  catches:
    "A workflow on `pull_request_target` or `workflow_run` that checks out the head of the pull: such workflows have the secrets and a token that may write, and the code is anybody's. Either half alone is left alone.",
  example: "on: pull_request_target, with ref: ${{ github.event.pull_request.head.sha }}",
  scope: "written",
  applies: isWorkflow,
  check: findUntrustedCheckout,
};

const trigger =
  /^\s*(?:-\s*)?["']?(?:pull_request_target|workflow_run)["']?\s*(?::|$)|^\s*["']?on["']?\s*:.*\b(?:pull_request_target|workflow_run)\b/;
const strangersRef =
  /^\s*(?:-\s*)?ref\s*:.*(?:\$\{\{\s*(?:github\.event\.pull_request\.(?:head\.(?:sha|ref)|merge_commit_sha)|github\.event\.workflow_run\.head_(?:sha|branch)|github\.head_ref)\s*\}\}|refs\/pull\/)/;

/** On the checkout where that is new, else on the trigger that made an old checkout dangerous. */
function findUntrustedCheckout(file: ChangedFile): readonly Hit[] {
  const lines = file.lines.filter((line) => !isComment(line));
  const triggers = lines.filter((line) => trigger.test(line.text));
  const checkouts = lines.filter((line) => strangersRef.test(line.text));
  if (triggers.length === 0 || checkouts.length === 0) return [];
  const added = checkouts.filter((line) => line.isAdded);
  const places = added.length > 0 ? added : triggers.filter((line) => line.isAdded);
  const message =
    "This workflow runs with the repository's secrets and a token that may write, and it checks out code that anybody can propose. Run that code in a workflow on `pull_request`, and do only what needs rights here.";
  return places.map((line) => hitLine(line.number, { score: 9, message }));
}
