import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Language } from "#reviewers/rules/language.ts";
import { maskCode } from "#reviewers/rules/mask-code.ts";
import { syntaxOf } from "#reviewers/rules/syntax.ts";

function mask(language: Language, ...lines: readonly string[]): readonly string[] {
  const syntax = syntaxOf(language);
  if (syntax === null) throw new Error(`no syntax for ${language}`);
  return maskCode(lines, syntax);
}

describe("a mask", () => {
  it.each<readonly [Language, string, string]>([
    ["javascript", 'a("b c", d) // e', 'a("   ", d)     '],
    ["javascript", "a('it\\'s') + b", "a('     ') + b"],
    ["javascript", "a /* b */ c", "a         c"],
    ["javascript", "x = `a ${b + `c ${d}`} e`;", "x = `  ${b + `  ${d}`}  `;"],
    ["javascript", "x = `a ${{ b: 1 }.b} c`;", "x = `  ${{ b: 1 }.b}  `;"],
    ["javascript", "x.replace(/[\"'`/]/g, y) // z", "x.replace(/      /g, y)     "],
    ["javascript", "x = a / b / 'c';", "x = a / b / ' ';"],
    ["javascript", "return /'/.test(x);", "return / /.test(x);"],
    ["javascript", "<b>x</b> + y", "<b>x</b> + y"],
    ["python", "x = f'{a}' # b", "x = f'   '    "],
    ["go", "x := `a\\` + 'b'", "x := `  ` + ' '"],
    ["rust", "fn f<'a>(x: &'a str) { '\"' }", "fn f<'a>(x: &'a str) { ' ' }"],
    ["php", "$a = 1; # b", "$a = 1;    "],
  ])("of %s %s", (language, line, masked) => {
    expect(mask(language, line)).toEqual([masked]);
  });

  it("goes over lines where the language does", () => {
    expect(mask("javascript", "/* a", " * b", " */ c")).toEqual(["    ", "    ", "    c"]);
    expect(mask("javascript", "x = `a", "${b}", "c`; d")).toEqual(["x = ` ", "${b}", " `; d"]);
    expect(mask("python", '"""a', "b", '"""; c')).toEqual(['""" ', " ", '"""; c']);
  });

  it("ends a string at the end of its line, unless the line says that it goes on", () => {
    expect(mask("javascript", "a = 'b", "c")).toEqual(["a = ' ", "c"]);
    expect(mask("javascript", "a = 'b\\", "c' + d")).toEqual(["a = '  ", " ' + d"]);
  });

  it("never changes anything but to a blank", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab '\"`/*#\\{}$[]()=\n".split("")), maxLength: 60 });
    const languages = fc.constantFrom<Language>("javascript", "python", "go", "rust", "braces", "php", "ruby");
    fc.assert(
      fc.property(text, languages, (source, language) => {
        const lines = source.split("\n");
        for (const [index, masked] of mask(language, ...lines).entries()) {
          const line = lines[index] ?? "";
          expect(masked.length).toBe(line.length);
          expect(Array.from(masked).every((one, column) => one === " " || one === line[column])).toBe(true);
        }
      }),
    );
  });
});
