import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PackOptions, packDiff } from "#core/prompt/pack-diff.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { aDiff, aFile, type DiffFileSketch, diffText } from "#testing/prompt-makers.ts";

const roomy: PackOptions = { callTokensMax: 10_000, callsMax: 4, isExcluded: () => false };

const line = fc.oneof(
  fc.constantFrom("const a = 1;", "}", "", "=== src/other.ts", "@@ 7", "\u202e hidden", "x".repeat(700)),
  fc.stringMatching(/^[ -~]{0,60}$/),
);
const hunk = fc
  .tuple(fc.array(fc.tuple(fc.constantFrom("+", "-", " "), line), { maxLength: 12 }), line)
  .map(([lines, last]) => [...lines.map(([mark, text]) => mark + text), `+${last}`]);
const path = fc
  .tuple(
    fc.constantFrom("src/", "test/", "docs/", "vendor/", ""),
    fc.stringMatching(/^[a-z]{1,6}$/),
    fc.constantFrom(".ts", ".md", ".test.ts", ".lock"),
  )
  .map((parts) => parts.join(""));
const file: fc.Arbitrary<DiffFileSketch> = fc
  .record({ path, hunks: fc.array(hunk, { minLength: 1, maxLength: 4 }), kind: fc.constantFrom("modified", "binary") })
  .map((sketch) => sketch);
const files = fc.uniqueArray(file, { selector: (sketch) => sketch.path, minLength: 1, maxLength: 12 });
const options = fc.record({
  callTokensMax: fc.integer({ min: 300, max: 3_000 }),
  callsMax: fc.integer({ min: 1, max: 4 }),
});

const fewer = { numRuns: 40 };

describe("packing a diff", () => {
  it("names every file exactly once, as read or with a reason", () => {
    fc.assert(
      fc.property(files, options, (sketches, limits) => {
        const packed = packDiff(aDiff(sketches), { ...limits, isExcluded: (name) => name.startsWith("docs/") });
        const named = [...packed.read, ...packed.unread.map((entry) => entry.path)].toSorted();
        expect(named).toEqual(sketches.map((sketch) => sketch.path).toSorted());
      }),
      fewer,
    );
  });

  it("keeps every call within its room, and their number", () => {
    fc.assert(
      fc.property(files, options, (sketches, limits) => {
        const { calls } = packDiff(aDiff(sketches), { ...limits, isExcluded: () => false });
        expect(calls.length).toBeLessThanOrEqual(limits.callsMax);
        for (const call of calls) {
          expect(call.tokens).toBeLessThanOrEqual(limits.callTokensMax);
          // Pieces are counted one by one and rounded up, so the whole is never more than their sum.
          expect(estimateTokens(call.text)).toBeLessThanOrEqual(call.tokens + 1);
        }
      }),
      fewer,
    );
  });

  it("shows every line of a file that counts as read", () => {
    fc.assert(
      fc.property(files, options, (sketches, limits) => {
        const packed = packDiff(aDiff(sketches), { ...limits, isExcluded: () => false });
        const shown = new Set(packed.calls.flatMap((call) => linesByFile(call.text)));
        for (const sketch of sketches.filter(({ path: name }) => packed.read.includes(name))) {
          const lines = sketch.hunks.flat().map((text) => `${sketch.path}\n${text.replaceAll("\u202e", "[U+202E]")}`);
          expect(lines.filter((text) => !shown.has(text))).toEqual([]);
        }
      }),
      fewer,
    );
  });

  it("leaves nothing out while another call may be opened", () => {
    fc.assert(
      fc.property(files, options, (sketches, limits) => {
        const packed = packDiff(aDiff(sketches), { ...limits, isExcluded: () => false });
        const isShort = packed.unread.some(({ why }) => why === "budget");
        expect(!isShort || packed.calls.length === limits.callsMax).toBe(true);
      }),
      fewer,
    );
  });
});

/** Each line of a packed text under the file that it is shown for. */
function linesByFile(text: string): readonly string[] {
  let current = "";
  return text.split("\n").flatMap((shown) => {
    if (shown.startsWith("=== ")) current = shown.slice(4).replace(/ \(.*$/, "");
    return [`${current}\n${shown}`];
  });
}

describe("the text of a packed diff", () => {
  it("names each file once and numbers each hunk", () => {
    const sketch = { path: "src/a.ts", hunks: [[" one", "+two"], ["-three"]] };
    const [call] = packDiff(aDiff([sketch, aFile("src/b.ts", "+x")]), roomy).calls;
    expect(call?.text).toBe("=== src/a.ts\n@@ 1\n one\n+two\n@@ 103\n-three\n=== src/b.ts\n@@ 1\n+x\n");
    expect(call?.paths).toEqual(["src/a.ts", "src/b.ts"]);
  });

  it("is far shorter than what git prints", () => {
    const sketch = aFile("src/deep/folder/name.ts", "+x");
    const [call] = packDiff(aDiff([sketch]), roomy).calls;
    expect((call?.text.length ?? 0) * 3).toBeLessThan(diffText([sketch]).length);
  });

  it("says what kind of change it is, and of a deleted file no more than its name", () => {
    const added: DiffFileSketch = { path: "a.ts", kind: "added", hunks: [["+x"]] };
    const deleted: DiffFileSketch = { path: "b.ts", kind: "deleted", hunks: [["-x", "-y"]] };
    const [call] = packDiff(aDiff([added, deleted]), roomy).calls;
    expect(call?.text).toBe("=== a.ts (new)\n@@ 1\n+x\n=== b.ts (deleted, 2 lines)\n");
  });

  it("puts source before settings, tests and prose", () => {
    const sketches = ["README.md", "src/a.test.ts", "package.json", "src/a.ts"].map((name) => aFile(name, "+x"));
    const [call] = packDiff(aDiff(sketches), roomy).calls;
    expect(call?.paths).toEqual(["src/a.ts", "package.json", "src/a.test.ts", "README.md"]);
  });

  it("drops what ranks last when there is no room at all", () => {
    const words = Array.from({ length: 100 }, (_, index) => `+word number ${index}`);
    const sketches = [aFile("docs/guide.md", ...words), aFile("src/a.ts", ...words)];
    const packed = packDiff(aDiff(sketches), { ...roomy, callTokensMax: 700, callsMax: 1 });
    expect(packed.read).toEqual(["src/a.ts"]);
    expect(packed.unread).toEqual([{ path: "docs/guide.md", why: "budget" }]);
  });
});

describe("what is not packed", () => {
  it("has its reason: binary, excluded or generated", () => {
    const image: DiffFileSketch = { path: "logo.png", kind: "binary", hunks: [] };
    const sketches = [
      image,
      aFile("secret/a.ts", "+x"),
      aFile("package-lock.json", "+x"),
      aFile("src/auth-generated.ts", "+x"),
    ];
    const packed = packDiff(aDiff(sketches), { ...roomy, isExcluded: (name) => name.startsWith("secret/") });
    expect(packed.unread).toEqual([
      { path: "logo.png", why: "binary" },
      { path: "secret/a.ts", why: "excluded" },
      { path: "package-lock.json", why: "excluded" },
      { path: "src/auth-generated.ts", why: "generated" },
    ]);
    expect(packed.calls).toEqual([]);
  });

  it("is to be read where no more than a name says that nobody wrote it", () => {
    const paths = ["src/auth-generated.ts", "x.min.js", "vendor/p.js", "api/a.pb.go"];
    const gone: DiffFileSketch = { path: "vendor/old.js", kind: "deleted", hunks: [["-x"]] };
    const diff = aDiff([...paths.map((name) => aFile(name, "+x")), gone]);
    expect(packDiff(diff, { ...roomy, isMarked: (name) => name.endsWith(".pb.go") }).unread).toEqual([
      { path: "src/auth-generated.ts", why: "generated" },
      { path: "x.min.js", why: "generated" },
      { path: "vendor/p.js", why: "generated" },
      { path: "api/a.pb.go", why: "excluded" },
      { path: "vendor/old.js", why: "excluded" },
    ]);
  });

  it("does not grow by what the base branch marks: a file of an ordinary name is read", () => {
    expect(packDiff(aDiff([aFile("src/a.ts", "+x")]), { ...roomy, isMarked: () => true }).read).toEqual(["src/a.ts"]);
  });

  it("is the end of a line that no call could hold, and the file is not called read", () => {
    const packed = packDiff(aDiff([aFile("a.ts", "+short", `+${"long ".repeat(5_000)}`)]), {
      ...roomy,
      callTokensMax: 500,
    });
    expect(packed.unread).toEqual([{ path: "a.ts", why: "size" }]);
    expect(packed.calls.map(({ text }) => text).join("")).toContain("+short\n");
    expect(packed.calls.map(({ text }) => text).join("")).toContain(" [cut]\n");
  });

  it("is never taken from a note in the file", () => {
    const packed = packDiff(aDiff([aFile("src/a.ts", "+// @generated, do not edit", "+steal();")]), roomy);
    expect(packed.read).toEqual(["src/a.ts"]);
  });
});

describe("a hunk that is larger than a call", () => {
  it("is split between lines, each part under its own line number", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `+value ${index};`);
    const { calls, read } = packDiff(aDiff([aFile("a.ts", ...lines)]), { ...roomy, callTokensMax: 600 });
    expect(read).toEqual(["a.ts"]);
    expect(calls.length).toBeGreaterThan(1);
    for (const { text } of calls) {
      const [, number = "", index = ""] = /^=== a\.ts\n@@ (\d+)\n\+value (\d+);/.exec(text) ?? [];
      expect(Number(number)).toBe(Number(index) + 1);
    }
  });
});
