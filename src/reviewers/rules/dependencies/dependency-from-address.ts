import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile } from "#reviewers/rules/changed-file.ts";
import {
  entryFinder,
  isPackageManifest,
  newDependencies,
  readBothManifests,
} from "#reviewers/rules/dependencies/package-manifest.ts";
import { baseName } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

export const dependencyFromAddress: Rule = {
  name: "dependency-from-address",
  title: "Dependency from an address instead of a registry",
  score: 6,
  catches:
    "A dependency in package.json or requirements.txt that is fetched from a repository or an archive by a name that can move. A full commit id in the address is enough; registries, workspaces and local folders are left alone.",
  example: '"left-pad": "github:someone/left-pad"',
  scope: "everything",
  applies: (file) => isPackageManifest(file) || isRequirements(file),
  check: (file, change) => (isRequirements(file) ? fromRequirements(file) : fromManifest(file, change)),
};

const address = /^(?:git(?:\+\w+)?:|https?:|github:|gitlab:|bitbucket:|[\w-]+\/[\w.-]+(?:#|$))/;
const commit = /[#@][0-9a-f]{40}(?:[&#]|$)/;

function isRequirements({ path, diff }: ChangedFile): boolean {
  return /^(?:requirements|constraints)[\w.-]*\.txt$/.test(baseName(path)) && diff.kind !== "deleted";
}

async function fromManifest(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  const both = await readBothManifests(file, change);
  if (both === null) return [];
  const find = entryFinder(file);
  return newDependencies(both.before, both.after).flatMap(({ name, wanted }) => {
    const line = address.test(wanted) && !commit.test(wanted) ? find(name, wanted) : undefined;
    return line === undefined ? [] : [say(line.number, name)];
  });
}

function fromRequirements(file: ChangedFile): readonly Hit[] {
  return addedCode(file).flatMap(({ number, text }) => {
    const found =
      /^\s*(?:-e\s+|--editable\s+)?(?:(?<name>[\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*)?(?<from>git\+\S+|https?:\/\/\S+\.(?:zip|tar\.gz)\S*)/.exec(
        text,
      )?.groups;
    const from = found?.["from"];
    if (from === undefined || commit.test(from) || /[#&](?:sha256|md5)=/.test(from)) return [];
    return [say(number, found?.["name"] ?? from)];
  });
}

function say(line: number, name: string): Hit {
  const message = `${codeSpan(name.slice(0, 100))} comes from an address whose content can change, past the registry and its checks. Take a published version, or name the full commit id.`;
  return hitLine(line, { score: 6, message });
}
