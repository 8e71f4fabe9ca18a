import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readPaths, readSources } from "./read-tree.ts";

it("reading the tree gives every TypeScript file of src, test and tools, and nothing that is not ours", () => {
  const root = mkdtempSync(join(tmpdir(), "drover-tree-"));
  const files = [
    "src/core/a.ts",
    "src/web/page.tsx",
    "src/core/note.md",
    "test/deep/b.test.ts",
    "tools/c.ts",
    "docs/d.ts",
    "node_modules/x/e.ts",
    "dist/f.ts",
  ];
  try {
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "");
    }
    expect(readPaths(root)).toEqual([
      "docs/d.ts",
      "src/core/a.ts",
      "src/core/note.md",
      "src/web/page.tsx",
      "test/deep/b.test.ts",
      "tools/c.ts",
    ]);
    expect(readSources(root).map((source) => source.path)).toEqual([
      "src/core/a.ts",
      "src/web/page.tsx",
      "test/deep/b.test.ts",
      "tools/c.ts",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
