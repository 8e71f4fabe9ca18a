import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Files = Readonly<Record<string, string | Uint8Array>>;

export async function makeFolder(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "drover-eval-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

export function addedFile(path: string, lines: readonly string[]): string {
  return [
    `diff --git a/${path} b/${path}`,
    "new file mode 100644",
    "--- /dev/null",
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}

const loopLines = ["for (const page of pages) {", "  save(page);", "}"];

export function loopCase(name: string, parts: Files = {}): Files {
  const own: Files = {
    "change.diff": addedFile("src/a.ts", loopLines),
    "case.yml":
      'title: Save all pages\ntags: [async]\nfindings:\n  - { path: src/a.ts, code: "  save(page);", what: Nobody waits., score: 7 }\n',
    ...parts,
  };
  return Object.fromEntries(Object.entries(own).map(([path, text]) => [`${name}/${path}`, text]));
}

export function cleanCase(name: string): Files {
  return loopCase(name, { "case.yml": "title: Save all pages\nclean: true\n" });
}
