import type { DemoEvent } from "#app/demo/demo-event.ts";
import { wrapWords } from "#cli/wrap-words.ts";
import { never } from "#core/never.ts";

export interface DemoPage {
  readonly columns: number;
  readonly hasColours: boolean;
}

const columnsMin = 60;
const columnsMax = 100;

/** Long lines are hard to read, and a narrow window breaks lines of a fixed length. */
export function pageOf(terminal: { readonly columns: number | undefined; readonly hasColours: boolean }): DemoPage {
  const columns = Math.min(columnsMax, Math.max(columnsMin, terminal.columns ?? columnsMax));
  return { columns, hasColours: terminal.hasColours };
}

export function demoLines(told: DemoEvent, page: DemoPage): readonly string[] {
  switch (told.kind) {
    case "scene":
      return [heading(told, page), ...wrapWords(told.watch, page.columns).map((line) => styled(line, "faint", page))];
    case "happened":
      return [...entry({ label: told.by, style: "person" }, [told.what], page), ...quoted(told.lines, page, signStyle)];
    case "looked":
      return [
        ...entry({ label: "saw", style: "label" }, told.saw.length === 0 ? ["nothing new"] : told.saw, page),
        ...entry({ label: "decided", style: "label", hangColumns: aboutColumns }, told.decided.map(decided), page),
        ...entry({ label: "did", style: "label" }, told.did.length === 0 ? ["nothing"] : told.did, page),
      ];
    case "wrote":
      return [
        ...entry({ label: "wrote", style: "label" }, [told.what], page),
        ...quoted(told.lines, page, () => "faint"),
      ];
    default:
      return never(told);
  }
}

const labelColumns = 10;
const aboutColumns = 10;

function heading({ number, title, at }: Extract<DemoEvent, { readonly kind: "scene" }>, page: DemoPage): string {
  const time = at.slice("2026-01-05T".length, -1);
  const words = `${number}. ${title}`;
  const line = "─".repeat(Math.max(2, page.columns - words.length - time.length - 2));
  return `${styled(words, "heading", page)} ${styled(`${line} ${time}`, "faint", page)}`;
}

function decided({ about, words }: { readonly about: string; readonly words: string }): string {
  return `${about.padEnd(aboutColumns)}${words}`;
}

function entry(
  { label, style, hangColumns = 2 }: { readonly label: string; readonly style: Style; readonly hangColumns?: number },
  texts: readonly string[],
  page: DemoPage,
): readonly string[] {
  const lines = texts.flatMap((text) => wrapWords(text, page.columns - labelColumns, hangColumns));
  const margin = " ".repeat(labelColumns);
  return lines.map((line, index) => (index === 0 ? styled(label.padEnd(labelColumns), style, page) : margin) + line);
}

function quoted(lines: readonly string[], page: DemoPage, styleOf: (line: string) => Style): readonly string[] {
  const bar = "│ ";
  const margin = " ".repeat(labelColumns) + styled(bar, "faint", page);
  return lines.flatMap((line) =>
    wrapWords(line, page.columns - labelColumns - bar.length).map((part) => margin + styled(part, styleOf(line), page)),
  );
}

function signStyle(line: string): Style {
  if (line.startsWith("+ ")) return "added";
  return line.startsWith("- ") ? "removed" : "faint";
}

type Style = "heading" | "label" | "person" | "faint" | "added" | "removed";

const codes: Readonly<Record<Style, string>> = {
  heading: "1",
  label: "36",
  person: "33",
  faint: "2",
  added: "32",
  removed: "31",
};

function styled(text: string, style: Style, { hasColours }: DemoPage): string {
  return hasColours ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
}
