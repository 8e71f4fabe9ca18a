import { codeParts } from "#core/markdown/code-parts.ts";
import { openFence } from "#core/markdown/open-fence.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { withoutHiddenCharacters } from "#core/prompt/hidden-characters.ts";

/** Text of others on its way into a comment of Drover's. It may say anything, but it may not change the page around it. */

/** One line: breaks become spaces, markup that could swallow or hide what follows is made harmless, long text is cut. */
export function plainLine(text: string, charactersMax: number): string {
  const line = readable(text).replace(/\s+/g, " ").trim();
  const cut = cutAt(harmlessAround(line), charactersMax);
  // An odd backtick, or a fence, would turn the rest of the page into code.
  return codeParts(cut) === null || cut.includes("``")
    ? cutAt(harmless(line).replaceAll("`", "'"), charactersMax)
    : cut;
}

/** Several lines, for the text of a remark. A fence that was left open is closed. */
export function plainText(text: string, charactersMax: number): string {
  const clean = readable(text).trim();
  const around = cutAt(harmlessAround(clean), charactersMax);
  // The cut may have gone through code, and what is left of it would be none.
  const cut = codeParts(around) === null ? cutAt(harmless(clean), charactersMax) : around;
  const fence = openFence(cut);
  return passive(fence === null ? cut : `${cut}\n${fence}`);
}

/**
 * Blocks of code that are more than code to a forge become plain ones. A suggestion can be applied by pressing a button,
 * and only those count that were checked against the code; what is drawn can hold links.
 */
function passive(text: string): string {
  return text.replace(
    /^([ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*)(?:suggestion|mermaid|math|geojson|topojson|stl)(?![\w-])/gim,
    "$1text",
  );
}

/** A name in code: the fence is longer than any run of backticks within. */
export function codeSpan(text: string): string {
  const clean = withoutControls(text).replace(/\s/g, " ");
  const longest = longestRun(clean);
  const fence = "`".repeat(longest + 1);
  const pad = clean.startsWith("`") || clean.endsWith("`") || clean === "" ? " " : "";
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** A suggestion or a quote as a fenced block, with any content. */
export function codeBlock(text: string, info: string): string {
  const longest = Math.max(2, longestRun(text));
  const fence = "`".repeat(longest + 1);
  return `${fence}${info}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Code is left as it is: there `<` is a character like any other, and a reference for it would be read as written. */
function harmlessAround(text: string): string {
  const parts = codeParts(text);
  if (parts === null) return harmless(text);
  return parts.map((part) => (part.isCode ? part.text : harmless(part.text))).join("");
}

/** Without HTML, without images (their address tells who looked), and without anything to click on or to refer to. */
function harmless(text: string): string {
  return unlinked(
    text
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/!(?=\[)/g, "!\\"),
  );
}

/**
 * Addresses can be read, not followed: otherwise a person who makes a model show one would have Drover's name under it.
 * A reference to another repository would be shown over there. Forges look for all of these once more on the finished
 * page, where backslashes are gone: GitHub for references, Gitea also for addresses and for its own `[[picture.png]]`.
 * So they are broken by a character that stays there.
 */
function unlinked(text: string): string {
  return text
    .replace(/\](?=[([:])/g, "]\\")
    .replace(/\[(?=\[)|:(?=\/\/)|\b(?:www(?=\.)|mailto(?=:))|[#!](?<=[\w.-][#!])(?=\d)/gi, `$&${zeroWidthSpace}`);
}

const zeroWidthSpace = "\u200b";

/** Also without invisible characters: a secret with a zero-width blank in it is a secret to a reader who copies it. */
function withoutControls(text: string): string {
  return withoutHiddenCharacters(text.replace(/\r\n?/g, "\n"));
}

/** A model writes handles as it has read them; people read, and copy out of code, what is meant. `outgoing` breaks them. */
function readable(text: string): string {
  return restoreHandles(withoutControls(text));
}

/** By whole characters: half of a surrogate pair is no text. */
function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 2] ?? "") ? charactersMax - 2 : charactersMax - 1;
  return `${text.slice(0, end)}…`;
}
