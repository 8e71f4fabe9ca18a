import { openFence } from "#core/words/open-fence.ts";

/** Text of others on its way into a comment of Drover's. It may say anything, but it may not change the page around it. */

/** One line: breaks become spaces, markup that could swallow or hide what follows is made harmless, long text is cut. */
export function plainLine(text: string, charactersMax: number): string {
  const line = harmless(text).replace(/\s+/g, " ").trim();
  const cut = cutAt(line, charactersMax);
  return balanced(cut);
}

/** Several lines, for the text of a remark. A fence that was left open is closed. */
export function plainText(text: string, charactersMax: number): string {
  const cut = cutAt(harmless(text).trim(), charactersMax);
  const fence = openFence(cut);
  return fence === null ? cut : `${cut}\n${fence}`;
}

/** A name in code: the fence is longer than any run of backticks within. */
export function codeSpan(text: string): string {
  const clean = withoutControls(text).replace(/\s/g, " ");
  const longest = longestRun(clean);
  const fence = "`".repeat(longest + 1);
  const pad = clean.startsWith("`") || clean.endsWith("`") || clean === "" ? " " : "";
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** A suggestion or a quote as a fenced block, whatever it holds. */
export function codeBlock(text: string, info: string): string {
  const longest = Math.max(2, longestRun(text));
  const fence = "`".repeat(longest + 1);
  return `${fence}${info}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Without HTML, without images (their address tells who looked), without characters that reorder or hide text. */
function harmless(text: string): string {
  return withoutControls(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/!(?=\[)/g, "!\\");
}

function withoutControls(text: string): string {
  return (
    text
      .replace(/\r\n?/g, "\n")
      // oxlint-disable-next-line no-control-regex -- exactly these are to go.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, "")
      .replace(/[\u{e0000}-\u{e007f}]/gu, "")
  );
}

/** By whole characters: half of a surrogate pair is no text. */
function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 2] ?? "") ? charactersMax - 2 : charactersMax - 1;
  return `${text.slice(0, end)}…`;
}

/** An odd backtick would turn the rest of the page into code. */
function balanced(line: string): string {
  const runs = line.match(/`+/g) ?? [];
  return runs.every((run) => run.length === 1) && runs.length % 2 === 0 ? line : line.replaceAll("`", "'");
}
