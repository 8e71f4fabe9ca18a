/** What git itself lists about a diff, read from its forms for machines. Names are byte strings. */
export interface RawChange {
  readonly status: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly oldName: string;
  readonly newName: string;
}

/** Reads `git diff --raw -z --no-abbrev`. */
export function readRaw(output: Buffer): readonly RawChange[] {
  const fields = output.toString("latin1").split("\0");
  const changes: RawChange[] = [];
  while (fields.length > 1) {
    const [oldMode = "", newMode = "", oldBlob = "", newBlob = "", status = ""] = (fields.shift() ?? "")
      .slice(1)
      .split(" ");
    const oldName = fields.shift() ?? "";
    const newName = /^[RC]/.test(status) ? (fields.shift() ?? "") : oldName;
    changes.push({ status: status.charAt(0), oldMode, newMode, oldBlob, newBlob, oldName, newName });
  }
  return changes;
}

export interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  readonly name: string;
}

/** Reads `git diff --numstat -z` or `git apply --numstat -z`; a rename of the former has its names in fields of their own. */
export function readNumstat(output: Buffer): readonly Counts[] {
  const fields = output.toString("latin1").split("\0");
  const counts: Counts[] = [];
  while (fields.length > 1) {
    const [, added = "", removed = "", rest = ""] = /^([^\t]*)\t([^\t]*)\t([^]*)$/.exec(fields.shift() ?? "") ?? [];
    const isMoved = rest === "";
    if (isMoved) fields.shift();
    const name = isMoved ? (fields.shift() ?? "") : rest;
    counts.push({ added: Number(added) || 0, removed: Number(removed) || 0, isBinary: added === "-", name });
  }
  return counts;
}
