import { describe, expect, it } from "vitest";
import { evalOfValue } from "#reviewers/rules/code/eval-of-value.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("eval-of-value", () => {
  it.each([
    ["a.ts", "const result = eval(expression);"],
    ["a.ts", 'const run = new Function("a", body);'],
    ["a.ts", "eval(`${name}()`);"],
    ["a.py", "value = eval(text)"],
    ["a.py", "exec(compile(source, name, 'exec'))"],
    ["a.php", "eval($code);"],
  ])("finds evaluated text in %s: %s", async (path, line) => {
    expect(await placesOf(evalOfValue, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["a.ts", 'eval("1 + 1");'],
    ["a.ts", "redis.eval(script);"],
    ["a.ts", "  eval(expression: string) {"],
    ["a.ts", "function eval(x) { return x; }"],
    ["a.ts", "// eval(expression)"],
    ["a.ts", "const text = 'eval(x)';"],
    ["a.ts", "medieval(x);"],
    ["a.test.ts", "eval(expression);"],
    ["scripts/a.ts", "eval(expression);"],
    ["a.py", "model.eval()"],
    ["a.py", "def exec(code):"],
    ["a.py", 'exec("""x = 1""")'],
    ["a.py", "ast.literal_eval(text)"],
    ["a.php", "function eval($x) {}"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(evalOfValue, [newFile(path, line)])).toEqual([]);
  });
});
