export function changedLines(diff: string): readonly string[] {
  const lines: string[] = [];
  let isInHunk = false;
  for (const line of diff.split("\n")) {
    const file = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) {
      lines.push(`${file}:`);
      isInHunk = false;
    } else if (line.startsWith("@@")) {
      isInHunk = true;
    } else if (isInHunk && /^[+-]./.test(line)) {
      lines.push(`${line.slice(0, 1)} ${line.slice(1)}`);
    }
  }
  const shown = lines.slice(0, linesMax);
  return lines.length > linesMax ? [...shown, `… and ${lines.length - linesMax} lines more`] : shown;
}

const linesMax = 20;
