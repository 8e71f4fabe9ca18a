import type { ChangedFile } from "#reviewers/rules/changed-file.ts";

export interface GoRequirement {
  readonly name: string;
  readonly version: string;
  readonly line: number;
}

/** New or in another version. A replaced module is locked as the other one. */
export function goRequirements(file: ChangedFile): readonly GoRequirement[] {
  const replaced = new Set(
    file.lines.flatMap(
      ({ text }) => /^\s*(?:replace\s+)?(?<name>\S+)(?:\s+v\S+)?\s+=>/.exec(text)?.groups?.["name"] ?? [],
    ),
  );
  let block = "";
  return file.lines.flatMap(({ text, isAdded, number }) => {
    block = /^\s*\)/.test(text) ? "" : (/^\s*(?<word>\w+)\s*\(/.exec(text)?.groups?.["word"] ?? block);
    const shape =
      block === "require" ? /^\s*(?<name>\S+)\s+(?<version>v\d\S*)/ : /^\s*require\s+(?<name>\S+)\s+(?<version>v\d\S*)/;
    const { name, version } = (isAdded ? shape.exec(text)?.groups : undefined) ?? {};
    if (name === undefined || version === undefined || replaced.has(name)) return [];
    return [{ name, version, line: number }];
  });
}

export function isInGoSum(sum: string, { name, version }: GoRequirement): boolean {
  return sum.includes(`${name} ${version}/go.mod `) || sum.includes(`${name} ${version} `);
}
