import { describe, expect, it } from "vitest";
import { installScript } from "#reviewers/rules/dependencies/install-script.ts";
import { changedFile, newFile, placesOf } from "#testing/rules-makers.ts";

function withScript(line: string, mark = "+"): readonly string[] {
  return [" {", '   "scripts": {', `${mark}    ${line}`, "   }", " }"];
}

describe("install-script", () => {
  it.each(['"postinstall": "node setup.js"', '"preinstall" : "curl x"', '"install": "make"'])(
    "finds %s",
    async (line) => {
      expect(await placesOf(installScript, [changedFile("package.json", ...withScript(line))])).toEqual(["3"]);
    },
  );

  it("finds a changed one, and one in a new manifest", async () => {
    const changed = [" {", '   "scripts": {', '-    "install": "a"', '+    "install": "b"', "   }", " }"];
    expect(await placesOf(installScript, [changedFile("x/package.json", ...changed)])).toEqual(["3"]);
    const fresh = withScript('"install": "b"').map((line) => line.slice(1));
    expect(await placesOf(installScript, [newFile("package.json", ...fresh)])).toEqual(["3"]);
  });

  it.each([
    ["package.json", withScript('"build": "make"')],
    ["package.json", withScript('"prepare": "make"')],
    ["package.json", withScript('"postinstall": "husky install"')],
    ["package.json", withScript('"postinstall": "node setup.js"', " ").concat("+")],
    ["package.json", [" {", '+  "dependencies": { "postinstall": "1.0.0" }', " }"]],
    ["package.json", [" {", '+  "scripts": broken', " }"]],
    ["other.json", withScript('"postinstall": "node setup.js"')],
  ])("lets %s with %j pass", async (path, lines) => {
    expect(await placesOf(installScript, [changedFile(path, ...lines)])).toEqual([]);
  });
});
