import { describe, expect, it } from "vitest";
import { rankOf } from "#core/prompt/file-rank.ts";

describe("the rank of a file", () => {
  it.each([
    [
      "source",
      ["src/a.ts", "cmd/main.go", "Makefile", "Dockerfile", "web/index.html", "src/testing.ts", "lib/vendors.py"],
    ],
    ["settings", ["package.json", ".github/workflows/ci.yml", "Cargo.toml", "logo.svg"]],
    ["test", ["src/a.test.ts", "pkg/a_test.go", "tests/run.py", "test_a.py", "src/OrderTest.java", "e2e/login.ts"]],
    ["prose", ["README.md", "docs/guide.rst", "LICENSE", "notes.txt"]],
    [
      "generated",
      [
        "package-lock.json",
        "web/yarn.lock",
        "go.sum",
        "vendor/x/y.go",
        "dist.min.js",
        "api.pb.go",
        "a/__snapshots__/b.snap",
      ],
    ],
  ] as const)("is %s", (rank, paths) => {
    expect(paths.map((path) => [path, rankOf(path)])).toEqual(paths.map((path) => [path, rank]));
  });
});
