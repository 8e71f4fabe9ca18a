import type { TextPage } from "#core/report/text-report.ts";
import { styled, type TextStyle } from "#core/terminal/styled-text.ts";
import { columnsOf, cutLine, visibleLine } from "#core/terminal/visible-text.ts";

export interface Cell {
  readonly text: string;
  readonly style?: TextStyle | undefined;
}

const gap = "  ";
const nameColumnsMax = 48;

export function tableLines(rows: readonly (readonly Cell[])[], page: TextPage): readonly string[] {
  const shown = rows.map((row) =>
    row.map(({ text, style }) => ({ text: cutLine(visibleLine(text), nameColumnsMax), style })),
  );
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => columnsOf(row[column]?.text ?? ""))),
  );
  return shown.map((row) =>
    row
      .map(({ text, style }, column) => {
        const blanks = " ".repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(text)));
        const painted = style === undefined ? text : styled(text, style, page);
        return column === 0 ? painted + blanks : blanks + painted;
      })
      .join(gap)
      .trimEnd(),
  );
}
