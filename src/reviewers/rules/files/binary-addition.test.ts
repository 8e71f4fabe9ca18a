import { describe, expect, it } from "vitest";
import { binaryAddition } from "#reviewers/rules/files/binary-addition.ts";
import { binaryFile, newFile, placesOf } from "#testing/rules-makers.ts";

describe("binary-addition", () => {
  it.each(["tools/helper.exe", "lib/native.so", "lib/old.jar", "data/all.zip", "a.pyc"])("finds %s", async (path) => {
    expect(await placesOf(binaryAddition, [binaryFile(path)])).toEqual(["file"]);
  });

  it("finds a program without an ending", async () => {
    const program = { ...binaryFile("bin/helper", "100755"), oldMode: "100644" };
    expect(await placesOf(binaryAddition, [program])).toEqual(["file"]);
  });

  it.each(["logo.png", "font.woff2", "manual.pdf", "gradle/wrapper/gradle-wrapper.jar", "bin/data"])(
    "lets %s pass",
    async (path) => {
      expect(await placesOf(binaryAddition, [binaryFile(path)])).toEqual([]);
    },
  );

  it("lets text pass, whatever it is called", async () => {
    expect(await placesOf(binaryAddition, [newFile("a.exe", "text")])).toEqual([]);
  });
});
