import { codeSpan } from "#core/words/plain-text.ts";
import { type ChangedFile, isNewPath } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitFile, type Rule } from "#reviewers/rules/rule.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

export const junkFile: Rule = {
  name: "junk-file",
  title: "File that belongs to a machine, not to the project",
  score: 6,
  catches:
    "New files that tools and systems leave behind: installed packages, caches, compiled Python, swap and backup files, personal editor state, debug logs, `.DS_Store`. One finding for each folder. Shared editor settings and `dist` are left alone.",
  example: "app/.DS_Store",
  scope: "everything",
  applies: (file) => isNewPath(file) && junkOf(file.path) !== null,
  check: findJunk,
};

/** Up to the end of the match it is one heap of junk. */
const junkFolder =
  /(?:^|\/)(?:node_modules|bower_components|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.venv|\.gradle|\.terraform|\.next|\.nuxt|\.parcel-cache|\.turbo|\.sass-cache|\.ipynb_checkpoints|\.nyc_output|target\/(?:debug|release))\//;
const junkName =
  /(?:^|\/)(?:\.DS_Store|Thumbs\.db|ehthumbs\.db|desktop\.ini|npm-debug\.log[^/]*|yarn-(?:debug|error)\.log|pnpm-debug\.log|\.idea\/(?:workspace|tasks|usage\.statistics)\.xml|\.eslintcache|\.coverage|[^/]+\.(?:py[co]|sw[op]|orig|rej|iml~)|[^/]+~)$/;

function junkOf(path: string): string | null {
  const folder = junkFolder.exec(path);
  if (folder !== null) return path.slice(0, folder.index + folder[0].length);
  return junkName.test(path) ? path : null;
}

/** The first file of a heap speaks for all of them. */
function findJunk(file: ChangedFile, change: RuleContext): readonly Hit[] {
  const heap = junkOf(file.path);
  if (heap === null) return [];
  if (heap.endsWith("/") && change.firstInFolder.get(heap) !== file.path) return [];
  const message = `${codeSpan(heap)} is left behind by a tool or a system and means nothing to others. Remove it from the change (\`git rm --cached\`), and name it in \`.gitignore\`.`;
  return [hitFile({ score: 6, message })];
}
