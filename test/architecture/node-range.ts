type Version = readonly [number, number, number];

/** Whether a range as `engines` in a package.json states it admits a version of Node. What it cannot read it refuses. */
export function admits(range: string, version: Version): boolean {
  return range.split("||").some((part) => {
    const comparators = part.replaceAll(/([<>=^~]) +/g, "$1").split(" ");
    return comparators.filter((one) => one !== "").every((one) => holds(one, version));
  });
}

function holds(comparator: string, version: Version): boolean {
  const [, sign = "", text = ""] = /^(>=|<=|>|<|=|\^|~)?v?([\dx*.]+)$/.exec(comparator) ?? [];
  if (text === "") return false;
  const parts = text.split(".").map(Number);
  const wanted: Version = [parts[0] || 0, parts[1] || 0, parts[2] || 0];
  const order = compare(version, wanted);
  const isSame = (count: number): boolean => wanted.slice(0, count).every((part, index) => part === version[index]);
  if (sign === ">=") return order >= 0;
  if (sign === ">") return order > 0;
  if (sign === "<=") return order <= 0;
  if (sign === "<") return order < 0;
  if (sign === "^") return isSame(1) && order >= 0;
  if (sign === "~") return isSame(2) && order >= 0;
  // A version alone means everything that begins like it.
  return isSame(parts.filter((part) => !Number.isNaN(part)).length);
}

function compare(left: Version, right: Version): number {
  const difference = left.map((part, index) => part - (right[index] ?? 0)).find((part) => part !== 0);
  return difference ?? 0;
}
