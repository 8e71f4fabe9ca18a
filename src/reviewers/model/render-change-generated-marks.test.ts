import { expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { readGeneratedMarks } from "#reviewers/model/render-change.ts";

async function marked(text: string | null, paths: readonly string[]): Promise<readonly string[]> {
  const readFile = (side: string): Promise<Uint8Array | null> =>
    Promise.resolve(side === "old" && text !== null ? encodeText(text) : null);
  return paths.filter(await readGeneratedMarks({ readFile }));
}

const paths = ["api/a.pb.go", "vendor/x/y.go", "web/app.min.js", "src/a-generated.ts"];

it("the attributes of the merge base mark files as generated or vendored", async () => {
  const text = "# *.ts linguist-generated\n*.pb.go text linguist-generated=true\nvendor/** -diff linguist-vendored\n";
  expect(await marked(text, paths)).toEqual(["api/a.pb.go", "vendor/x/y.go"]);
});

it("the last line of the attributes that says something about a path decides", async () => {
  const text =
    "* linguist-generated\nvendor/** -linguist-generated\n*.ts linguist-generated=false\n*.js !linguist-generated\n";
  expect(await marked(text, paths)).toEqual(["api/a.pb.go"]);
});

it.each([
  null,
  "",
  "* text=auto\n",
  '"*" linguist-generated\n',
  "[attr]made linguist-generated\n",
  "!*.go linguist-generated\n",
])("the attributes %j mark no file as generated", async (text) => {
  expect(await marked(text, paths)).toEqual([]);
});
