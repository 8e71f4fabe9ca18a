import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { detectInjection } from "#core/prompt/detect-injection.ts";
import { benignTexts } from "#testing/benign-texts.ts";
import { fieldInjections } from "#testing/field-injections.ts";
import { naturalInjections } from "#testing/injections.ts";
import { short } from "./figures.ts";

type Print = (line: string) => void;

/** How many injected orders are found, and how often something else is taken for one; then in what npm has installed. */
export function benchInjection(print: Print): void {
  const attacks = [...naturalInjections, ...fieldInjections];
  const found = attacks.filter(isFlagged).length;
  const wrong = benignTexts.filter(isFlagged).length;
  print(
    `  injected orders: ${found} of ${attacks.length} found (recall ${short(found / attacks.length)}), ${wrong} of ${benignTexts.length} harmless texts flagged (precision ${short(found / (found + wrong))})`,
  );
  const texts = installedTexts();
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const start = performance.now();
  const flagged = texts.filter(isFlagged).length;
  const ms = performance.now() - start;
  print(
    `  in ${texts.length} files of installed packages: ${flagged} flagged, at ${short(characters / 1e3 / ms)} MB/s`,
  );
}

function isFlagged(text: string): boolean {
  return detectInjection(text).places.length > 0;
}

const filesMax = 1_500;
const fileCharactersMax = 300_000;

/** Code and prose of many hands, spread evenly. */
function installedTexts(): readonly string[] {
  const root = join(process.cwd(), "node_modules");
  const names = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:md|txt|[cm]?[jt]s|json|ya?ml)$/.test(name) && !name.startsWith("."))
    .toSorted();
  const step = Math.max(1, Math.floor(names.length / filesMax));
  return names.filter((_, index) => index % step === 0).map((name) => readSample(join(root, name)));
}

function readSample(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, fileCharactersMax);
  } catch {
    return "";
  }
}
