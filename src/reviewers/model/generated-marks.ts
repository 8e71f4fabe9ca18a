import { type PathFilter, readPathFilter } from "#core/files/path-filter.ts";
import type { ChangeView } from "#ports/change-view.ts";
import { readRepositoryText } from "#reviewers/model/repository-text.ts";

/** From the merge base: a change must not choose what of it is read. Quoted patterns and macros are ignored. */
export async function readGeneratedMarks(view: Pick<ChangeView, "readFile">): Promise<(path: string) => boolean> {
  const text = await readRepositoryText(view, { side: "old", path: ".gitattributes" });
  const marks = (text ?? "").split("\n").slice(0, linesMax).flatMap(readMarks);
  return (path) => attributes.some((name) => isSet(marks, { name, path }));
}

const linesMax = 1_000;
const attributes = ["linguist-generated", "linguist-vendored"] as const;

interface Mark {
  readonly name: string;
  readonly isOn: boolean;
  readonly filter: PathFilter;
}

function readMarks(line: string): readonly Mark[] {
  const [pattern = "", ...words] = line.trim().split(/\s+/);
  if (pattern === "" || /^(?:#|"|\[attr\])/.test(pattern)) return [];
  const filter = readPathFilter([pattern]);
  return words.flatMap((word) => {
    const [, off = "", name = "", value = "true"] = /^([-!]?)([^=]+)(?:=(.*))?$/.exec(word) ?? [];
    return (attributes as readonly string[]).includes(name)
      ? [{ name, isOn: off === "" && value !== "false", filter }]
      : [];
  });
}

/** The last line that matches decides, as in git. */
function isSet(marks: readonly Mark[], { name, path }: { readonly name: string; readonly path: string }): boolean {
  return marks.findLast((mark) => mark.name === name && mark.filter.matches(path))?.isOn ?? false;
}
