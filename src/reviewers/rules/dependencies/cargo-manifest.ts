import type { ChangedFile } from "#reviewers/rules/changed-file.ts";

export function cargoDependencies(file: ChangedFile): readonly { readonly name: string; readonly line: number }[] {
  let section = "";
  return file.lines.flatMap((line) => {
    const text = line.text.trim();
    section = /^\[+(?<name>[^\]]+)\]+/.exec(text)?.groups?.["name"] ?? section;
    const name = line.isAdded && isDependencies(section) ? entryName(text) : null;
    return name === null ? [] : [{ name, line: line.number }];
  });
}

export function isInCargoLock(lock: string, name: string): boolean {
  return lock.includes(`\nname = "${name}"\n`) || lock.includes(`\nname = "${name}"\r\n`);
}

/** `[workspace.dependencies]` only offers versions: an unused one is not locked. */
function isDependencies(section: string): boolean {
  return /(?:^|\.)(?:dev-|build-)?dependencies$/.test(section) && !section.startsWith("workspace.");
}

/** A dependency may be called otherwise than its package; an optional one is locked as well. */
function entryName(text: string): string | null {
  const renamed = /\bpackage\s*=\s*"(?<name>[\w-]+)"/.exec(text)?.groups?.["name"];
  return renamed ?? /^"?(?<name>[\w-]+)"?(?:\.\w+)?\s*=/.exec(text)?.groups?.["name"] ?? null;
}
