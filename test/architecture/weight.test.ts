import { expect, it } from "vitest";
import { readSource } from "./source.ts";
import { weigh } from "./weight.ts";

function source(path: string, text: string) {
  return readSource({ path, text });
}

it("the weight counts lines, files with one importer and names that one file uses, and leaves tests out", () => {
  const sources = [
    source("src/core/a.ts", "export const one = 1;\nexport const both = 2;\n"),
    source("src/core/b.ts", 'import { both, one } from "#core/a.ts";\nexport const sum = one + both;\n'),
    source(
      "src/core/c.ts",
      'import { both } from "#core/a.ts";\nimport { sum } from "#core/b.ts";\nconsole.log(both, sum);\n',
    ),
    source("src/core/c.test.ts", 'import { one } from "#core/a.ts";\nconsole.log(one);\n'),
  ];
  expect(weigh(sources)).toEqual({ lines: 7, filesWithOneImporter: 1, namesUsedByOneFile: 2 });
});
