export function pageLines(markdown: string): readonly string[] {
  const visible = markdown
    .replace(/<details>[\s\S]*?<\/details>/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/[\u200b\u2060\ufeff]/g, "");
  const lines = visible.split("\n").map(plain);
  return alignTables(lines).filter((line) => line !== "");
}

function plain(line: string): string {
  return line.replace(/^#+ /, "").replace(/[*`]/g, "").replace(/&lt;/g, "<").replace(/&amp;/g, "&").trimEnd();
}

function alignTables(lines: readonly string[]): readonly string[] {
  const kept = lines.filter((line, index) => !isRule(line) && !isRule(lines[index + 1] ?? ""));
  const rows = kept.filter(isRow).map(cellsOf);
  const width = (column: number): number => Math.max(...rows.map((cells) => (cells[column] ?? "").length));
  return kept.map((line) => {
    if (!isRow(line)) return line;
    const cells = cellsOf(line);
    return cells
      .map((cell, column) => (column === 0 || column === cells.length - 1 ? cell : cell.padEnd(width(column))))
      .join("  ")
      .trimEnd();
  });
}

function isRow(line: string): boolean {
  return line.startsWith("| ");
}

function isRule(line: string): boolean {
  return /^\|[\s|-]+\|$/.test(line) && line.includes("---");
}

function cellsOf(row: string): readonly string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}
