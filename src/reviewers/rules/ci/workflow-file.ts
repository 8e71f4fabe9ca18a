import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";

export function isWorkflow(file: ChangedFile): boolean {
  return /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/.test(file.path);
}

export function isComment(line: Line): boolean {
  return /^\s*#/.test(line.text);
}

/** Values of `run` and `script`, by indentation: a block lasts as long as its lines are further right than its key. */
export function scriptLines(lines: readonly Line[]): ReadonlySet<number> {
  const found = new Set<number>();
  let blockIndent: number | null = null;
  for (const line of lines) {
    const indent = indentOf(line.text);
    if (blockIndent !== null && (line.text.trim() === "" || indent > blockIndent)) {
      found.add(line.number);
      continue;
    }
    const key = scriptKey.exec(line.text);
    blockIndent = key === null ? null : (key.groups?.["before"]?.length ?? 0);
    if (key !== null) found.add(line.number);
  }
  return found;
}

const scriptKey = /^(?<before>\s*(?:-\s+)*)(?:run|script)\s*:(?:\s|$)/;

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
