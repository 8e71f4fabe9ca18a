import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type Line } from "#reviewers/rules/changed-file.ts";
import { isWorkflow } from "#reviewers/rules/ci/workflow-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

/** A branch moves with every push, a tag only on purpose: it scores less. Everybody uses tags of the forge's own actions. */
export const unpinnedAction: Rule = {
  name: "unpinned-action",
  title: "CI action that may change by itself",
  score: 7,
  catches:
    "`uses:` with a branch (score 7) or, for actions of others, with a tag (score 5) instead of a full commit id. Local actions, images by digest, and tags of `actions/*` and `github/*` are left alone.",
  example: "uses: someone/deploy@main",
  scope: "written",
  applies: isWorkflow,
  check: (file) => addedCode(file).flatMap(actionHit),
};

const uses = /^\s*(?:-\s+)?uses\s*:\s*["']?(?<action>[\w.-]+\/[\w./-]+)@(?<ref>[^\s"'#]+)/;

function actionHit(line: Line): readonly Hit[] {
  const { action, ref } = uses.exec(line.text)?.groups ?? {};
  if (action === undefined || ref === undefined || isPinned(ref) || ref.includes("${{")) return [];
  const isTag = /^v?\d/.test(ref);
  if (isTag && /^(?:actions|github)\//.test(action)) return [];
  const what = isTag
    ? `${codeSpan(ref)} is a tag, which the owner of ${codeSpan(action)} can move to other code`
    : `${codeSpan(ref)} is a branch: every push to ${codeSpan(action)} runs here with the rights of this workflow`;
  const message = `${what}. Pin the full commit id, and name the version in a comment behind it.`;
  return [hitLine(line.number, { score: isTag ? 5 : 7, message })];
}

function isPinned(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref) || ref.startsWith("sha256:");
}
