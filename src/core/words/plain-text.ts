import { codeParts } from "#core/markdown/code-parts.ts";
import { openFence } from "#core/markdown/open-fence.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { withoutHiddenCharacters } from "#core/prompt/hidden-characters.ts";

/** Text of others may say anything, but it may not change the page around it. */

/** Markup that could swallow or hide what follows is made harmless. */
export function plainLine(text: string, charactersMax: number): string {
  const line = readable(text).replace(/\s+/g, " ").trim();
  const cut = cutAt(harmlessAround(line), charactersMax);
  // An odd backtick, or a fence, would turn the rest of the page into code.
  return codeParts(cut) === null || cut.includes("``")
    ? cutAt(harmless(line).replaceAll("`", "'"), charactersMax)
    : cut;
}

export function plainText(text: string, charactersMax: number): string {
  const clean = readable(text).trim();
  const around = cutAt(harmlessAround(clean), charactersMax);
  // The cut may have gone through code, and what is left of it would be none.
  const cut = codeParts(around) === null ? cutAt(harmless(clean), charactersMax) : around;
  const fence = openFence(cut);
  return passive(fence === null ? cut : `${cut}\n${fence}`);
}

/** A suggestion can be applied with a button, and only checked ones count. What a forge draws can hold links. */
function passive(text: string): string {
  return text.replace(
    /^([ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*)(?:suggestion|mermaid|math|geojson|topojson|stl)(?![\w-])/gim,
    "$1text",
  );
}

/** The fence is longer than any run of backticks within. */
export function codeSpan(text: string): string {
  const clean = withoutControls(text).replace(/\s/g, " ");
  const fence = "`".repeat(longestRun(clean) + 1);
  const pad = clean.startsWith("`") || clean.endsWith("`") || clean === "" ? " " : "";
  return `${fence}${pad}${clean}${pad}${fence}`;
}

export function codeBlock(text: string, info: string): string {
  const fence = "`".repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}${info}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** In code `<` is a character like any other, and a reference for it would be read as written. */
function harmlessAround(text: string): string {
  const parts = codeParts(text);
  if (parts === null) return harmless(text);
  return parts.map((part) => (part.isCode ? part.text : harmless(part.text))).join("");
}

/** No HTML, no images (their address tells who looked), and nothing to click on or to refer to. */
function harmless(text: string): string {
  return unlinked(
    text
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/!(?=\[)/g, "!\\"),
  );
}

/**
 * Addresses can be read, not followed: a model can be made to show one under Drover's name. A reference shows in the
 * other repository. Forges look for these on the finished page, where backslashes are gone, so a character breaks them.
 */
function unlinked(text: string): string {
  return text
    .replace(/\](?=[([:])/g, "]\\")
    .replace(/\[(?=\[)|:(?=\/\/)|\b(?:www(?=\.)|mailto(?=:))|[#!](?<=[\w.-][#!])(?=\d)/gi, `$&${zeroWidthSpace}`);
}

const zeroWidthSpace = "\u200b";

/** A secret with a zero-width blank in it is a secret to a reader who copies it. */
function withoutControls(text: string): string {
  return withoutHiddenCharacters(text.replace(/\r\n?/g, "\n"));
}

/** People read, and copy out of code, what is meant. `outgoing` breaks handles again. */
function readable(text: string): string {
  return restoreHandles(withoutControls(text));
}

/** By whole characters: half of a surrogate pair is no text. */
function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 2] ?? "") ? charactersMax - 2 : charactersMax - 1;
  return `${text.slice(0, end)}…`;
}
