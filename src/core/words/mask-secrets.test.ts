import { describe, expect, it } from "vitest";
import { maskSecrets, maskSecretsInLines, secretAt } from "#core/words/mask-secrets.ts";

/** Put together here, so that no tool takes this file for one that leaks something. */
const token = `ghp_${"a1B2".repeat(9)}`;
const begin = ["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ");
const end = ["-----END", "RSA PRIVATE KEY-----"].join(" ");
const key = [begin, "MIIE", end].join("\n");

describe("secrets", () => {
  it("are cut off where they can be told for certain, and the words around them stay", () => {
    expect(maskSecrets(`The token ${token} is in line 3, and ${token}.`)).toBe(
      "The token ghp_… is in line 3, and ghp_….",
    );
    expect(maskSecrets(`Before.\n${key}\nAfter.`)).toBe("Before.\n----…\nAfter.");
  });

  it.each([
    ["as a file has them", "\n"],
    ["in a string", "\\n"],
    ["in strings that are joined", '\\n" +\n  "'],
    ["in a quotation", "\n> "],
    ["indented", "\n      "],
  ])("go as far as a key goes, and no further: lines %s", (_, gap) => {
    const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj".repeat(2), "Zm9v/+A".repeat(9), "c2hvcnQ="];
    const written = [begin, ...lines, end].join(gap);
    expect(maskSecrets(`Before ${written} after.`)).toBe("Before ----… after.");
    expect(maskSecrets(`Before ${written.slice(0, 150)}`)).toBe("Before ----…");
  });

  it("do not take along what only stands between two names of files", () => {
    const words = `- \`${begin}.ts:1\` Reads too far.\n- \`src/a.ts:3\` Leaks the password.\n- \`${end}.ts\` Fine.`;
    expect([maskSecrets(words), secretAt(words)]).toEqual([words, -1]);
  });

  it("are looked for in a megabyte of anything", () => {
    for (const piece of [begin, `${begin}\n`, `${begin} AAAA`, "+ ", "A", "\\n", `${begin}${"A".repeat(16)} `]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(maskSecrets(text).length).toBeLessThanOrEqual(text.length);
    }
  });

  it("are not seen where there are none", () => {
    const words = "A `ghp_` prefix, sk-learn, and -----BEGIN CERTIFICATE-----.";
    expect([maskSecrets(words), secretAt(words)]).toEqual([words, -1]);
  });

  it("are found where they begin to be secret", () => {
    expect(secretAt(`x ${token}`)).toBe("x ghp_".length);
  });

  const body = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj", "Zm9v/+A".repeat(9), "c2hvcnQ="];

  it.each([
    ["added", "+"],
    ["removed", "-"],
    ["unchanged", " "],
  ])("leave the lines of a diff where they are: %s", (_, mark) => {
    const diff = [
      "@@ -1,2 +1,7 @@",
      " const a = 1;",
      ...[begin, ...body, end, `const b = "${token}";`].map((l) => mark + l),
    ];
    const masked = maskSecretsInLines(diff.join("\n")).split("\n");
    expect(masked).toEqual([
      "@@ -1,2 +1,7 @@",
      " const a = 1;",
      `${mark}${begin}`,
      `${mark}…`,
      `${mark}…`,
      `${mark}…`,
      `${mark}${end}`,
      `${mark}const b = "ghp_…";`,
    ]);
  });

  it("in one line of a program go as well, and the code after a line that only looks like a key's first stays", () => {
    const written = [begin, ...body.slice(0, 2), end].join("\\n");
    expect(maskSecretsInLines(`+const key = "${written}";`)).not.toMatch(/MIIE|Zm9v/);
    const code = `+if (line === "${begin}") {\n+  return readTheWholeOfTheKeyFrom(lines);\n+}`;
    expect(maskSecretsInLines(code)).toBe(code);
  });
});
