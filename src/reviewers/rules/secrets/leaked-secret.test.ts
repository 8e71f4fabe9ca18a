import { describe, expect, it } from "vitest";
import { maskSecrets, maskSecretsInLines, secretAt } from "#core/secrets/mask-secret-formats.ts";
import { crc32, leakedSecret, toBase62 } from "#reviewers/rules/secrets/leaked-secret.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

/** Random-looking characters, made here so that no scanner finds a key in this file. */
function noise(length: number, alphabet = "kQ7vXz2RmB9tLw4HdYc6NpJ8sGf3"): string {
  return Array.from({ length }, (_, index) => alphabet[(index * index + 7 * index + 3) % alphabet.length]).join("");
}

function checked(length: number): string {
  const random = noise(length - 6);
  return random + toBase62(crc32(random)).padStart(6, "0");
}

const hex = "f3a09c17be82d645";
const capitals = "K7QXZ2RMBTLW4HDYC6NPJSGF";

const secrets: readonly (readonly [string, string, string])[] = [
  ["a GitHub token", "ghp_", checked(36)],
  ["a fine-grained GitHub token", "github_pat_", `${noise(22)}_${noise(59)}`],
  ["a GitLab token", "glpat-", noise(20)],
  ["a GitLab deploy token", "gldt-", noise(20)],
  ["an npm token", "npm_", checked(36)],
  ["a registry token", "_authToken=", noise(40)],
  ["a PyPI token", "pypi-AgEIcHlwaS5vcmc", noise(80)],
  ["an AWS access key", "AKIA", noise(16, capitals)],
  ["a passing AWS access key", "ASIA", noise(16, capitals)],
  ["an AWS secret key", "aws_secret_access_key = ", noise(40)],
  ["an Anthropic key", "sk-ant-api03-", noise(95)],
  ["an OpenAI key", "sk-proj-", noise(60)],
  ["an older OpenAI key", "sk-", `${noise(20)}T3BlbkFJ${noise(20)}`],
  ["a Google API key", "AIza", noise(35)],
  ["a Google client secret", "GOCSPX-", noise(28)],
  ["a live Stripe key", "sk_live_", noise(24)],
  ["a restricted Stripe key", "rk_live_", noise(24)],
  ["a Slack app token", "xapp-1-", `A${noise(9, capitals)}-${noise(12, "73915")}-${noise(64, hex)}`],
  ["a Slack token", "xoxb-", `${noise(11, "73915")}-${noise(12, "28460")}-${noise(24)}`],
  ["a Slack webhook", "hooks.slack.com/services/", `T${noise(9, capitals)}/B${noise(9, capitals)}/${noise(24)}`],
  ["a SendGrid key", "SG.", `${noise(22)}.${noise(43)}`],
  ["a DigitalOcean token", "dop_v1_", noise(64, hex)],
  ["a Hugging Face token", "hf_", noise(34, "kQvXzRmBtLwHdYcNpJsGf")],
  ["a Shopify token", "shpat_", noise(32, hex)],
  ["an Azure storage key", "AccountKey=", `${noise(86)}==`],
  ["a Vault token", "hvs.", noise(95)],
];

describe("leaked-secret", () => {
  it.each(secrets)("finds %s and never repeats it", async (_name, start, body) => {
    const findings = await findingsOf(leakedSecret, [newFile("src/a.ts", "", `const key = "${start}${body}";`)]);
    expect(findings.map(({ lines }) => lines)).toEqual([{ first: 2, last: 2 }]);
    expect(findings[0]?.snippet).toBe(`const key = "${start}${body.slice(0, 4)}`);
    expect(JSON.stringify(findings)).not.toContain(body.slice(0, 8));
    expect(findings[0]?.suggestion).toBeNull();
  });

  it.each(secrets)("names nothing that a comment or a prompt would tell: %s", (_name, start, body) => {
    const line = `const key = "${start}${body}";`;
    for (const text of [maskSecrets(line), maskSecretsInLines(line)]) {
      expect(text).not.toContain(body.slice(0, 8));
      expect(text).toMatch(/^const key = ".{3,}…";$/);
    }
    expect(line.slice(0, secretAt(line))).not.toContain(body.slice(0, 8));
  });

  it("finds two of them on one line and keeps both secret", async () => {
    const [one, other] = [checked(36), noise(20)];
    const findings = await findingsOf(leakedSecret, [newFile("a.env", `A=ghp_${one} B=glpat-${other}`)]);
    expect(findings.map(({ snippet }) => snippet).toSorted()).toEqual([
      ` B=glpat-${other.slice(0, 4)}`,
      `A=ghp_${one.slice(0, 4)}`,
    ]);
  });

  it.each([
    ["an example", `ghp_${"EXAMPLE".padEnd(36, "kQ7vXz2R")}`],
    ["a row of the keyboard", ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_")],
    ["the same few characters", `ghp_${"aB1".repeat(12)}`],
    ["a part of a longer word", `xghp_${checked(36)}`],
    ["a name of a variable", "ghp_token_for_the_tests_of_this_repo_x"],
    ["a reference", "_authToken=${NPM_TOKEN_OF_THE_CI_ENVIRONMENT_XYZ}"],
    ["a key that is public", `pk_live_${noise(24)}`],
    ["a key of the test mode", `sk_test_${noise(24)}`],
    ["a CSS class", "sk-circle-fade-dot-wrapper-inner-item-x"],
    ["a commit id", noise(40, hex)],
  ])("lets %s pass", async (_name, text) => {
    expect(await placesOf(leakedSecret, [newFile("src/a.ts", `const key = "${text}";`)])).toEqual([]);
  });

  it("lets a made-up token in a test pass, and finds an issued one there", async () => {
    const made = newFile("test/a.ts", `const key = "ghp_${noise(36)}";`);
    const issued = newFile("test/a.ts", `const key = "ghp_${checked(36)}";`);
    expect([await placesOf(leakedSecret, [made]), await placesOf(leakedSecret, [issued])]).toEqual([[], ["1"]]);
  });

  it("lets the public web key of Firebase pass", async () => {
    const lines = ["const firebaseConfig = {", `  apiKey: "AIza${noise(35)}",`, "};"];
    expect(await placesOf(leakedSecret, [newFile("src/app.ts", ...lines)])).toEqual([]);
  });

  it("finds secrets in generated, vendored and lock files too", async () => {
    const line = `x("ghp_${checked(36)}")`;
    const files = ["dist/a.js", "vendor/a.go", "package-lock.json"].map((path) => newFile(path, line));
    expect(await placesOf(leakedSecret, files)).toEqual(["1", "1", "1"]);
  });
});

describe("private keys", () => {
  const header = ["-----BEGIN RSA", "PRIVATE", "KEY-----"].join(" ");

  it("are found where a key follows, and only the header is quoted", async () => {
    const findings = await findingsOf(leakedSecret, [newFile("deploy/key", header, noise(64), noise(64))]);
    expect(findings.map(({ snippet, lines }) => [snippet, lines.first])).toEqual([[header, 1]]);
  });

  it("are found in one line, as JSON holds them", async () => {
    const line = `  "private_key": "${header}\\n${noise(64)}\\n",`;
    const findings = await findingsOf(leakedSecret, [newFile("account.json", "{", line, "}")]);
    expect(findings.map(({ snippet }) => snippet)).toEqual([header]);
  });

  it("of tests, encrypted ones and mere mentions are let pass", async () => {
    const files = [
      newFile("test/server.key", header, noise(64)),
      newFile("deploy/a", header.replace("RSA", "ENCRYPTED"), noise(64)),
      newFile("deploy/b", header, "Proc-Type: 4,ENCRYPTED", "", noise(64)),
      newFile("src/pem.ts", `if (text.startsWith("${header}")) return "pem";`),
    ];
    expect(await placesOf(leakedSecret, files)).toEqual([]);
  });
});
