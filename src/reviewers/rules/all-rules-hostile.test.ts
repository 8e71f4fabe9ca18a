import { describe, expect, it } from "vitest";
import { codeCharactersMax } from "#reviewers/rules/review-limits.ts";
import { aJob, type FileSketch, newFile, reviewWithRules } from "#testing/rules-makers.ts";

/**
 * Lines made to send a pattern back and forth. Nothing here looks at a clock: a rule that needs more than a time in
 * proportion to its input would not end before the runner gives up.
 */
const pieces = [
  "a",
  " ",
  "\t x",
  "(",
  "/[",
  "`${",
  '"\\',
  "sk-proj-",
  "gh",
  "AKIA",
  "xoxb-1",
  "_authToken=",
  "aws_secret_access_key ",
  "\u200B",
  "\u{E0041}",
  "${{ github.event.",
  "catch ( ",
  "Math.random() token = ",
  "password = random.",
  ".query(`select from ",
  "os.system(f'{",
  "subprocess.run('' shell=",
  "eval( ",
  "describe.a",
  "it.skip.",
  "curl https://x ",
  "wget a ",
  "FROM --x ",
  "uses: a/",
  "FOO_SECRET=",
  "{ [a,",
  "<<<<<<<",
  "yaml.load(a",
];

const paths = [
  "src/a.ts",
  "src/a.test.ts",
  "src/a.py",
  "src/a.php",
  ".github/workflows/a.yml",
  "Dockerfile",
  "x.sh",
  ".env",
  "a.md",
  "a.rs",
];

function hostile(length: number): readonly FileSketch[] {
  const lines = pieces.map((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
  return paths.map((path) => newFile(path, ...lines));
}

describe("all rules", () => {
  it("come to an end on lines of a megabyte", async () => {
    const [file] = hostile(1_000_000);
    // All of them together would be over the limit of one file.
    for (const line of file?.lines ?? []) {
      expect((await reviewWithRules(aJob([{ path: "src/a.ts", kind: "added", lines: [line] }]))).kind).toBe(
        "completed",
      );
    }
  });

  it("come to an end on the longest lines that are read as code", async () => {
    const files = hostile(codeCharactersMax).map((file) => ({ ...file, lines: [...file.lines, ...file.lines] }));
    expect((await reviewWithRules(aJob(files))).kind).toBe("completed");
  });

  it("come to an end where every line is a hit", async () => {
    const hits = [
      "console.log(x);",
      "exec(`a ${b}`);",
      "FROM a",
      ["k('AI", "za", "kQ7vXz2RmB9tLw4HdYc6NpJ8sGf3TqWeRuI')"].join(""),
    ];
    const files = hits.map((hit, index) =>
      newFile(paths[index === 2 ? 5 : 0] ?? "", ...Array.from({ length: 20_000 }, () => hit)),
    );
    for (const file of files) expect((await reviewWithRules(aJob([file]))).kind).toBe("completed");
  });

  it("come to an end on fifty thousand short lines", async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => pieces[index % pieces.length] ?? "");
    expect((await reviewWithRules(aJob([newFile("src/a.ts", ...lines), newFile("src/a.py", ...lines)]))).kind).toBe(
      "completed",
    );
  });
});
