/** The middle one, or the mean of the two in the middle; NaN where there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The value below which this share of them lies; they come in order. NaN where there is none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Three digits, however large it is, and a comma in thousands. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.min(2, Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1)))));
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A table in Markdown. The first column is text, the others are figures. */
export function tableLines(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...rows.map((row) => row[column] ?? "")].map(lengthOf)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(heads), line(rule), ...rows.map(line)];
}

function lengthOf(text: string): number {
  return text.length;
}

export function judged(value: number, most: number): string {
  return value <= most ? `goal ${most} reached` : `goal ${most} MISSED`;
}
