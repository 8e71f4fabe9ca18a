import { describe, expect, it } from "vitest";
import { maskSecrets, maskSecretsInLines, secretAt } from "#core/secrets/mask-secret-formats.ts";

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
      expect(maskSecretsInLines(`=== a.pem\n${text}\n${end}`).length).toBeLessThanOrEqual(text.length + 100);
    }
  });

  it("are not seen where there are none", () => {
    const words = "A `ghp_` prefix, sk-learn, and -----BEGIN CERTIFICATE-----.";
    expect([maskSecrets(words), secretAt(words)]).toEqual([words, -1]);
  });

  it.each([
    ["a commit", "3f2504e04f8911d39a0c0305e82c3301aabbccdd"],
    ["a digest", `sha256:${"0f1e2d3c".repeat(8)}`],
    ["the checksum of a lock file", `"integrity": "sha512-${"aB3/".repeat(21)}aQ=="`],
    ["a key that is public", `pk_live_${"aB3d".repeat(6)}`],
    ["an id", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
    ["names in code", "SG.sendTheMessage(hf_transformer_of_the_model, shpat_x, secretAccessKey: options.key)"],
    ["a reference", "_authToken=${NPM_TOKEN} AccountKey=<your key>"],
  ])("are not seen in %s", (_, words) => {
    expect([maskSecrets(words), maskSecretsInLines(words)]).toEqual([words, words]);
  });

  it("are seen at the end of a longer name", () => {
    const value = "aB3/".repeat(10);
    expect(maskSecrets(`MY_AWS_SECRET_ACCESS_KEY=${value}`)).toBe("MY_AWS_SECRET_ACCESS_KEY=…");
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

  const long = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7", "Zm9v/+A3"].join("").padEnd(64, "kQ7v");

  it.each([
    ["after its first line", [long, long, "c2hvcnQ=", end], ["…", "…", "…", end]],
    ["in its last lines", [long, "c2hvcnQ=", end], ["…", "…", end]],
    ["in a string", [`  "${long}\\n" +`, `  "${end}";`], ['  "…\\n" +', `  "${end}";`]],
  ])("are seen in a part of a key: %s", (_, lines, wanted) => {
    for (const mark of ["", "+", "-", " "]) {
      const text = lines.map((line) => mark + line).join("\n");
      expect(maskSecretsInLines(text).split("\n")).toEqual(wanted.map((line) => mark + line));
    }
  });

  it("are seen in the midst of a file that is named like a key, and nowhere else", () => {
    const hunk = `@@ 5 ${long}\n ${long}\n-${long}\n+${long}`;
    const masked = "@@ 5 …\n …\n-…\n+…";
    for (const name of ["tls/server.pem (new)", "server.key", "home/id_ed25519 (was id_rsa)", "AuthKey_1.p8"]) {
      expect(maskSecretsInLines(`=== ${name}\n${hunk}`)).toBe(`=== ${name}\n${masked}`);
    }
    const other = `=== src/a.ts\n+${long}\n+${long}\n=== b.pem\n+${long}\n=== c.ts\n+${long}`;
    expect(maskSecretsInLines(other)).toBe(other.replace(`pem\n+${long}`, "pem\n+…"));
    expect(maskSecretsInLines(long, "tls/server.key")).toBe("…");
    expect(maskSecretsInLines(long, "tls/server.txt")).toBe(long);
  });

  it("are not what everybody may read of a certificate", () => {
    const certificate = [["-----BEGIN", "CERTIFICATE-----"].join(" "), long, long, "-----END CERTIFICATE-----"];
    const text = ["=== tls/server.pem", ...certificate.map((line) => `+${line}`)].join("\n");
    expect(maskSecretsInLines(text)).toBe(text);
  });

  it("include the private keys of PGP", () => {
    const block = [
      ["-----BEGIN", "PGP PRIVATE KEY BLOCK-----"].join(" "),
      "Comment: mine",
      "",
      long,
      "=aB3d",
      "-----END PGP PRIVATE KEY BLOCK-----",
    ].join("\n");
    expect(maskSecrets(`Before\n${block}\nafter`)).toBe("Before\n----…\nafter");
    expect(maskSecretsInLines(block)).not.toMatch(/MIIE|aB3d/);
  });

  it("in one line of a program go as well, and the code after a line that only looks like a key's first stays", () => {
    const written = [begin, ...body.slice(0, 2), end].join("\\n");
    expect(maskSecretsInLines(`+const key = "${written}";`)).not.toMatch(/MIIE|Zm9v/);
    const code = `+if (line === "${begin}") {\n+  return readTheWholeOfTheKeyFrom(lines);\n+}`;
    expect(maskSecretsInLines(code)).toBe(code);
  });
});
