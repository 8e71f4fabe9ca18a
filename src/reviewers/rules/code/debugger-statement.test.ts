import { describe, expect, it } from "vitest";
import { debuggerStatement } from "#reviewers/rules/code/debugger-statement.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("debugger-statement", () => {
  it.each([
    ["a.ts", ["run();", "debugger;"], ""],
    ["a.ts", ["if (isOdd)", "  debugger;"], null],
    ["a.ts", ["if (isOdd) { debugger; }", "run();"], null],
    ["a.py", ["def f():", "    x = 1", "    breakpoint()", "    return x"], ""],
    ["a.py", ["def f():", "    import pdb; pdb.set_trace()"], null],
    ["a.py", ["def f():", "    breakpoint()", "    return 1"], ""],
    ["a.rb", ["x = 1", "binding.pry"], null],
    ["a.rs", ["let y = dbg!(x);"], null],
    ["a.php", ["<?php", "var_dump($x);"], null],
    ["A.cs", ["Debugger.Break();"], null],
  ])("finds a debugger statement in %s: %j", async (path, lines, suggestion) => {
    const findings = await findingsOf(debuggerStatement, [newFile(path, ...lines)]);
    expect(findings.map((finding) => finding.suggestion)).toEqual([suggestion]);
  });

  it.each([
    ["a.ts", "// debugger;"],
    ["a.ts", 'const word = "debugger;";'],
    ["a.ts", "const debuggerPort = 9229;"],
    ["a.ts", "chrome.debugger.attach(tab);"],
    ["a.py", "breakpoint_count = breakpoint(1)"],
    ["a.py", "# breakpoint()"],
    ["a.rb", "debugger_port = 1"],
    ["a.rs", "// dbg!(x)"],
    ["a.php", "$var_dump = 1;"],
    ["a.php", "$this->dd($x);"],
    ["a.md", "debugger;"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(debuggerStatement, [newFile(path, line)])).toEqual([]);
  });
});
