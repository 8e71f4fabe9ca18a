import { describe, expect, it } from "vitest";
import { readOperatorConfig } from "#app/config/read-operator-config.ts";
import { readRunConfig } from "#app/config/run-config.ts";

const whole = `
forges:
  - name: sandbox
    kind: sandbox
    url: http://127.0.0.1:4180
    token: { env: DROVER_SANDBOX_TOKEN }
    webhookSecrets: [{ env: DROVER_WEBHOOK_SECRET }, { file: /run/secrets/old }]
    repositories: [acme/tools]
`;

/** A second forge after the first. */
function twice(name: string, secret: string): string {
  const second = whole.replace("\nforges:\n", "").replace("name: sandbox", `name: ${name}`);
  return whole + second.replace("DROVER_WEBHOOK_SECRET", secret).replace(", { file: /run/secrets/old }", "");
}

function problemsOf(text: string): readonly string[] {
  const read = readOperatorConfig(text);
  return read.kind === "wrong" ? read.problems : [];
}

describe("the operator's configuration", () => {
  it("needs little, and fills in the rest", () => {
    const read = readOperatorConfig(whole);
    expect(read).toMatchObject({
      kind: "read",
      config: {
        forges: [{ name: "sandbox", manner: "github", repositories: ["acme/tools"] }],
        rules: { handle: "@drover", merge: { when: "never" } },
        workers: 4,
        limits: { reviews: 4, talks: 4, sessions: 2 },
      },
    });
  });

  it("takes a Gitea beside a GitHub, whose secrets may be the same: their deliveries come to two doors", () => {
    const secrets = "webhookSecrets: [{ env: HOOK }]";
    const github = `{ name: hub, kind: github, token: { env: A }, ${secrets} }`;
    const gitea = `{ name: tea, kind: gitea, url: 'https://git.example/sub', token: { env: B }, ${secrets} }`;
    expect(readOperatorConfig(`forges: [${github}, ${gitea}]`)).toMatchObject({
      kind: "read",
      config: { forges: [{ kind: "github" }, { kind: "gitea", repositories: [], writeGapMs: 100 }] },
    });
    expect(problemsOf(`forges: [${gitea}, ${gitea.replace("tea", "two")}]`)).toEqual([
      "forges: two forges share a webhook secret, so deliveries cannot be told apart",
    ]);
  });

  it("is told of the first keys that there are not, and how many more", () => {
    const unknown = Array.from({ length: 300 }, (_, index) => `other${index}: 1\n`).join("");
    const problems = problemsOf(whole + unknown);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe("and 280 more keys that there are not");
  });

  it("takes rules of the operator's own", () => {
    const read = readOperatorConfig(`${whole}rules:\n  merge:\n    when: when_approved\n`);
    expect(read).toMatchObject({ kind: "read", config: { rules: { merge: { when: "when_approved" } } } });
  });

  it("takes caps on what models may cost, and has none without being told", () => {
    const read = readOperatorConfig(`${whole}budgets: { pullUsd: 2.5, dayUsd: 0 }\n`);
    expect(read).toMatchObject({ config: { budgets: { pullUsd: 2.5, dayUsd: 0, allowUnpriced: false } } });
    expect(readOperatorConfig(whole)).toMatchObject({ config: { budgets: { allowUnpriced: false } } });
    expect(problemsOf(`${whole}budgets: { pullUsd: -1, dayUsd: "5", daysUsd: 1 }\n`)).toEqual([
      expect.stringContaining("budgets.pullUsd"),
      "budgets.dayUsd: expected dollars, such as 2.5",
      'budgets: there is no key "daysUsd"; is "dayUsd" meant?',
    ]);
  });

  it("names every unknown key with its place, and what was probably meant", () => {
    expect(problemsOf(`${whole}worker: 3\nrules:\n  merg: {}\n  reviews:\n    blokingScore: 8\n`)).toEqual([
      'rules.reviews: there is no key "blokingScore"; is "blockingScore" meant?',
      'rules: there is no key "merg"; is "merge" meant?',
      'there is no key "worker"; is "workers" meant?',
    ]);
    expect(problemsOf(`${whole}xylophone: 3\n`)).toEqual([
      expect.stringMatching(/^there is no key "xylophone"\. There is: forges, .*budgets/),
    ]);
  });

  it("looks first among the keys of the very place, and names them where none is like it", () => {
    const role = "{ name: general, reviewer: rules, modle: main }";
    expect(problemsOf(`${whole}rules: { reviews: { roles: [${role}] } }\nbudgets: { perPull: 3 }\n`)).toEqual([
      'rules.reviews.roles.0: there is no key "modle"; is "model" meant?',
      'budgets: there is no key "perPull". There is: pullUsd, repositoryDayUsd, dayUsd, allowUnpriced.',
    ]);
  });

  it("refuses a secret that stands in the file itself, without repeating it", () => {
    const problems = problemsOf(whole.replace("{ env: DROVER_SANDBOX_TOKEN }", "ghp_verysecret"));
    expect(problems).toEqual([
      "forges.0.token: expected { env: NAME } or { file: PATH }: the secret itself does not belong here",
    ]);
    expect(problems.join()).not.toContain("verysecret");
  });

  it.each([
    ["", "forges: expected a list of forges"],
    ["forges: []", "forges: expected at least one forge"],
    [whole.replace("acme/tools", "acme"), 'forges.0.repositories.0: expected "owner/name"'],
    [
      whole.replace("http://127.0.0.1:4180", "ftp://x"),
      "forges.0.url: expected an address such as https://forge.example",
    ],
    [`${whole}workers: 0\n`, "workers: Too small: expected number to be >=1"],
    [twice("sandbox", "OTHER_SECRET"), "forges: two forges have the same name"],
    [
      twice("other", "DROVER_WEBHOOK_SECRET"),
      "forges: two forges share a webhook secret, so deliveries cannot be told apart",
    ],
    [
      "forges: [{ name: tea, kind: gitea, url: 'https://git.example/api/v1', token: { env: A }, repositories: [a/b] }]",
      "forges.0.url: expected the address that people use, without /api/v1",
    ],
    [
      "forges: [{ name: tea, kind: gitea, url: 'https://git.example', token: { env: A } }]",
      "forges.0: expected `webhookSecrets` or `repositories`: nothing else says where to look",
    ],
    ["forges:\n  - { name: hub, kind: github }\n", "forges.0: expected either `token` or `app`"],
    [
      "forges: [{ name: tea, kind: gitea, url: 'https://git.example', token: { env: A }, repositories: [a/b], gateName: '' }]",
      "forges.0.gateName: expected a name of letters, digits, blanks and . _ / - (50 at most)",
    ],
  ])("says what is wrong (case %#)", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it("says where the YAML is broken, and refuses a key that stands twice", () => {
    expect(problemsOf("forges: [")[0]).toMatch(/at line 1/);
    expect(problemsOf("workers: 1\nworkers: 2\n")[0]).toMatch(/unique/);
    expect(problemsOf("# Words\n`of`\nsome: other\n- file\n".repeat(20))).toHaveLength(3);
  });

  it("is not blown up by aliases", () => {
    const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 9; level++) {
      bomb.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(", ")}]`);
    }
    expect(problemsOf(bomb.join("\n"))).not.toEqual([]);
  });
});

it("a run of a CI is told by its command line where to look, and a server by its file", () => {
  const text =
    "forges: [{ name: tea, kind: gitea, url: 'https://git.example', token: { env: A }, gateName: drover/two }]";
  expect(readRunConfig(text)).toMatchObject({ kind: "read", config: { forges: [{ gateName: "drover/two" }] } });
  expect(readOperatorConfig(text).kind).toBe("wrong");
});
