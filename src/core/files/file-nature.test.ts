import { describe, expect, it } from "vitest";
import { isTestPath, natureOfName } from "#core/files/file-nature.ts";

describe("the nature of a file, by its name", () => {
  it.each([
    ["lock", ["package-lock.json", "sub/Cargo.lock", "web/yarn.lock", "go.sum", "go.work.sum", "bun.lockb", "uv.lock"]],
    ["vendored", ["vendor/x/a.go", "a/node_modules/b.js", "third_party/x.c", ".yarn/cache/x.zip"]],
    [
      "generated",
      ["a.min.js", "a.min.css", "a.mjs.map", "api/a.pb.go", "x_pb2.pyi", "api.generated.ts", "a/__snapshots__/b.snap"],
    ],
    ["built", ["dist/index.js", "packages/a/dist/x/y.d.ts", "dist/a.css"]],
    [
      "written",
      ["src/a.ts", "src/dist/reader.ts", "src/vendors.ts", "mine.lock", "generated.ts", "data.csv", "a.snapshot.ts"],
    ],
  ] as const)("is %s", (nature, paths) => {
    expect(paths.map((path) => [path, natureOfName(path)])).toEqual(paths.map((path) => [path, nature]));
  });
});

describe("tests", () => {
  it.each([
    "test/a.ts",
    "src/a.test.ts",
    "src/__tests__/a.js",
    "a_test.go",
    "pkg/test_a.py",
    "spec/a_spec.rb",
    "ATest.java",
    "e2e/login.ts",
  ])("are what %s belongs to", (path) => {
    expect(isTestPath(path)).toBe(true);
  });

  it.each([
    "src/attestation.ts",
    "src/latest.ts",
    "contest/a.ts",
    "src/protest.py",
    "src/Latest.java",
    "speed-test.ts",
  ])("are not what %s belongs to", (path) => {
    expect(isTestPath(path)).toBe(false);
  });
});
