import { codeSpan } from "#core/words/plain-text.ts";
import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { entryFinder, isPackageManifest, readBothManifests } from "#reviewers/rules/dependencies/package-manifest.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

export const installScript: Rule = {
  name: "install-script",
  title: "Script that runs on installation",
  score: 6,
  catches:
    "A new or changed `preinstall`, `install` or `postinstall` in a package.json: it runs on every machine that installs, before anybody looks. Well-known harmless ones (`husky`, `patch-package`, `prisma generate` …) are left alone.",
  example: '"postinstall": "node setup.js"',
  scope: "everything",
  applies: isPackageManifest,
  check: findInstallScripts,
};

const moments = ["preinstall", "install", "postinstall"] as const;
const harmless =
  /^(?:npx\s+)?(?:husky(?:\s+install)?|patch-package|prisma generate|lefthook install|simple-git-hooks|electron-builder install-app-deps|nuxt prepare|nuxi prepare|svelte-kit sync|only-allow \w+)$/;

async function findInstallScripts(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  const both = await readBothManifests(file, change);
  if (both === null) return [];
  const find = entryFinder(file);
  return moments.flatMap((moment) => {
    const script = both.after.scripts?.[moment];
    if (script === undefined || script === both.before.scripts?.[moment] || harmless.test(script.trim())) return [];
    const line = find(moment, script);
    if (line === undefined) return [];
    const message = `${codeSpan(moment)} runs on every machine that installs this package, developers' and CI's, before anybody looks at anything. Make it a step that people start, unless it cannot be otherwise.`;
    return [hitLine(line.number, { score: 6, message })];
  });
}
