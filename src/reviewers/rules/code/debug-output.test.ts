import { describe, expect, it } from "vitest";
import { debugOutput } from "#reviewers/rules/code/debug-output.ts";
import { changedFile, findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("debug-output", () => {
  it.each([
    ["src/a.ts", "console.log(user);"],
    ["src/a.ts", "console.log({ user, id });"],
    ["src/a.ts", 'console.log("user:", user);'],
    ["src/a.ts", "console.log('user.name', user.name)"],
    ["src/a.ts", 'console.log("here");'],
    ["src/a.ts", "console.debug(JSON.stringify(user, null, 2));"],
    ["src/a.ts", 'console.log("===== DEBUG =====", a, b);'],
    ["src/a.py", 'print("here")'],
    ["src/a.py", 'print(f"{user=}")'],
  ])("finds debug output in %s: %s, and offers to delete it", async (path, line) => {
    const findings = await findingsOf(debugOutput, [newFile(path, "run();", line)]);
    expect(findings.map((finding) => [finding.lines.first, finding.suggestion])).toEqual([[2, ""]]);
  });

  it("offers nothing where the line is all that hangs on another one", async () => {
    const [finding] = await findingsOf(debugOutput, [newFile("src/a.ts", "if (user)", "  console.log(user);")]);
    expect(finding?.suggestion).toBeNull();
  });

  it.each([
    ["src/a.ts", "console.log(`Listening on ${port}`);"],
    ["src/a.ts", 'console.log("Server started");'],
    ["src/a.ts", "console.error(error);"],
    ["src/a.ts", "console.log(error);"],
    ["src/a.ts", "log(user);"],
    ["src/a.ts", "// console.log(user);"],
    ["src/a.ts", "console.log(user); // eslint-disable-line no-console"],
    ["src/a.ts", 'const hint = "console.log(user)";'],
    ["scripts/a.ts", "console.log(user);"],
    ["src/cli/a.ts", "console.log(user);"],
    ["src/a.test.ts", "console.log(user);"],
    ["vite.config.ts", "console.log(user);"],
    ["src/a.py", "print(user)"],
    ["src/a.py", 'print("Done")'],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(debugOutput, [newFile(path, "run();", line)])).toEqual([]);
  });

  it("lets a file pass that is there to print, or a script", async () => {
    const printer = changedFile("src/report.ts", ' console.log("Report");', "+console.log(row);");
    const script = newFile("src/go.js", "#!/usr/bin/env node", "console.log(row);");
    expect(await placesOf(debugOutput, [printer, script])).toEqual([]);
  });
});
