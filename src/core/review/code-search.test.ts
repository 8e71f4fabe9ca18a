import { describe, expect, it } from "vitest";
import { containsCode, toSearchableText } from "#core/review/code-search.ts";

describe("code that was quoted", () => {
  it.each([
    ["if(a==b) run(x)", "function f() {\n  if (a == b) run(x)\n}\n"],
    ["if(a==b) run(x)", "if (a == b)\n    run( x )\n"],
    ["save(order,{force:true})", "save(order, {\n  force: true\n})\n"],
    ["a=b", "\ta = b;\n"],
    ["return  x", "return x;"],
    ["x\n\ty", "x\ny"],
  ])("still stands after a formatter: %j", (code, text) => {
    expect(containsCode(code, toSearchableText(text))).toBe(true);
  });

  it.each([
    ["if(a==b) run(x)", "if (a === b) run(x)\n"],
    ["a=b", "data = bytes;\n"],
    ["a = b", "a == b;\n"],
    ["return x", "returnx;\n"],
    ["else run()", "elserun()\n"],
    ["run(x)", "walk(x)\n"],
  ])("is gone where other code stands: %j", (code, text) => {
    expect(containsCode(code, toSearchableText(text))).toBe(false);
  });
});
