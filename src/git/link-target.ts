import { type BytePath, parentFolder } from "#git/byte-path.ts";
import { isGitDirectoryName } from "#git/unsafe-name.ts";

const hopsMax = 40;

/** Leaves the tree or enters a git directory. Followed as a file system does: two harmless links can make a bad one. */
export function leadsOutside(links: ReadonlyMap<BytePath, string>, path: BytePath): boolean {
  const at = parentFolder(path).split("/").filter(Boolean);
  const ahead = segmentsOf(links.get(path) ?? "");
  if (ahead === undefined) return true;
  for (let hops = 0; ahead.length > 0; ) {
    const segment = ahead.shift() ?? "";
    if (segment === "..") {
      if (at.pop() === undefined) return true;
    } else if (segment !== "" && segment !== ".") {
      if (isGitDirectoryName(segment)) return true;
      at.push(segment);
      const target = links.get(at.join("/"));
      if (target === undefined) continue;
      const more = segmentsOf(target);
      hops += 1;
      if (more === undefined || hops > hopsMax) return true;
      at.pop();
      ahead.unshift(...more);
    }
  }
  return false;
}

/** Undefined for a target that leaves by itself, here or on a system with drives and backslashes. */
function segmentsOf(target: string): string[] | undefined {
  if (target === "" || target.startsWith("/") || /\0|\\|^[A-Za-z]:/.test(target)) return undefined;
  return target.split("/");
}
