import type { BytePath } from "#git/byte-path.ts";
import { compilePattern, type IgnorePattern } from "#git/ignore-pattern.ts";

export interface IgnoreRules {
  readonly folder: BytePath;
  readonly rules: readonly IgnoreRule[];
}

interface IgnoreRule {
  readonly matches: IgnorePattern;
  readonly ignores: boolean;
  readonly onlyFolders: boolean;
  readonly isName: boolean;
}

/** A longer file is passed over: its rules would cost more than they spare. */
export const ignoreBytesMax = 64 * 1024;

export function readIgnoreRules(folder: BytePath, content: Uint8Array): IgnoreRules {
  const text = Buffer.from(content)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  return { folder, rules: text.split(/\r?\n/).flatMap((line) => readRule(line) ?? []) };
}

function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const ignores = !line.startsWith("!");
  const text = trimEnd(ignores ? line : line.slice(1));
  const onlyFolders = text.endsWith("/");
  const body = onlyFolders ? text.slice(0, -1) : text;
  if (body === "") return undefined;
  const isName = !body.includes("/");
  const matches = compilePattern(body.startsWith("/") ? body.slice(1) : body, { pathname: !isName });
  return { matches, ignores, onlyFolders, isName };
}

/** Spaces at the end do not count, unless a backslash precedes the last. */
function trimEnd(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === " ") continue;
    end = Math.min(at + 1, text.length);
  }
  return text.slice(0, end);
}

/** The nearest rule decides, the last of a file first. Do not ask about what lies in an ignored folder. */
export function isIgnored(stack: readonly IgnoreRules[], path: BytePath, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (const { folder, rules } of stack.toReversed()) {
    const below = folder === "" ? path : path.slice(folder.length + 1);
    const rule = rules.findLast((each) => (isFolder || !each.onlyFolders) && each.matches(each.isName ? name : below));
    if (rule !== undefined) return rule.ignores;
  }
  return false;
}
