export interface SecretFormat extends SecretShape {
  readonly name: string;
  readonly score: number;
  /** The group `start` is known to everybody, the group `body` is the secret. */
  readonly shape: RegExp;
  /** The last six characters are a checksum, so a made-up one can be told from an issued one. */
  readonly hasChecksum?: boolean;
}

/** Sources of expressions in which every repetition has an upper bound. */
export interface SecretShape {
  readonly start: string;
  readonly body: string;
  /** The start is a name to which something is assigned, and may be the end of a longer one. */
  readonly isNamed?: boolean;
}

/** Characters that would make a longer word of it: then it is something else. */
export const wordCharacter = /[A-Za-z0-9_-]/;

function format(name: string, score: number, shape: SecretShape): SecretFormat {
  return { name, score, ...shape, shape: new RegExp(`(?<start>${shape.start})(?<body>${shape.body})`, "g") };
}

export const googleKey = format("a Google API key", 8, { start: "AIza", body: "[0-9A-Za-z_-]{35}" });

/** None that is only "a long random word". Public keys (`pk_` of Stripe, Firebase's web keys) and test keys are out. */
export const secretFormats: readonly SecretFormat[] = [
  { ...format("a GitHub token", 10, { start: "gh[pousr]_", body: "[A-Za-z0-9]{36,255}" }), hasChecksum: true },
  format("a GitHub token", 10, { start: "github_pat_", body: "[A-Za-z0-9]{22}_[A-Za-z0-9]{59}" }),
  format("a GitLab token", 10, { start: "gl(?:pat|dt|rt|cbt|ptt|soat)-", body: "[A-Za-z0-9_-]{20,60}" }),
  { ...format("an npm token", 10, { start: "npm_", body: "[A-Za-z0-9]{36}" }), hasChecksum: true },
  format("a registry token", 10, { start: "_authToken=", body: "[A-Za-z0-9-]{36,200}", isNamed: true }),
  format("a PyPI token", 10, { start: "pypi-AgEIcHlwaS5vcmc", body: "[A-Za-z0-9_-]{50,250}" }),
  format("an AWS access key", 10, { start: "A(?:KIA|SIA)", body: "[A-Z2-7]{16}" }),
  format("an AWS secret key", 10, {
    start: String.raw`(?:aws_?secret_?access_?key|secretAccessKey|SecretAccessKey|AWS_SECRET_ACCESS_KEY)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?`,
    body: "[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])",
    isNamed: true,
  }),
  format("an Anthropic key", 10, { start: String.raw`sk-ant-[a-z]{2,8}\d{2}-`, body: "[A-Za-z0-9_-]{80,120}" }),
  format("an OpenAI key", 10, { start: "sk-(?:proj|svcacct|admin)-", body: "[A-Za-z0-9_-]{40,220}" }),
  format("an OpenAI key", 10, { start: "sk-", body: "[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}" }),
  googleKey,
  format("a Google client secret", 10, { start: "GOCSPX-", body: "[A-Za-z0-9_-]{28}" }),
  format("a live Stripe key", 10, { start: "[sr]k_live_", body: "[A-Za-z0-9]{20,120}" }),
  format("a Slack token", 10, { start: "xox[abpors]-", body: String.raw`\d{9,14}-\d{9,14}-[A-Za-z0-9-]{18,80}` }),
  format("a Slack app token", 10, {
    start: String.raw`xapp-\d-`,
    body: String.raw`[A-Z0-9]{8,14}-\d{9,14}-[a-f0-9]{60,70}`,
  }),
  format("a Slack webhook", 9, {
    start: String.raw`hooks\.slack\.com/services/`,
    body: "T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24}",
  }),
  format("a SendGrid key", 10, { start: String.raw`SG\.`, body: String.raw`[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}` }),
  format("a DigitalOcean token", 10, { start: "do[opr]_v1_", body: "[a-f0-9]{64}" }),
  format("a Hugging Face token", 10, { start: "hf_", body: "[A-Za-z]{34}" }),
  format("a Shopify token", 10, { start: "shp(?:at|ca|pa|ss)_", body: "[a-fA-F0-9]{32}" }),
  format("an Azure storage key", 10, { start: "AccountKey=", body: "[A-Za-z0-9+/]{86}==", isNamed: true }),
  format("a Vault token", 10, { start: String.raw`hv[sb]\.`, body: "[A-Za-z0-9_-]{90,200}" }),
];

/** Masked, but no finding: shorter, longer or newer than documented. A hash, a digest or an id is none of it. */
const looserShapes: readonly SecretShape[] = [
  { start: "gh[pousr]_", body: "[A-Za-z0-9]{20,255}" },
  { start: "github_pat_", body: String.raw`\w{20,255}` },
  { start: "gl(?:pat|dt|rt|cbt|ptt|soat)-", body: String.raw`[\w-]{20,255}` },
  { start: "npm_", body: "[A-Za-z0-9]{30,64}" },
  { start: "sk-", body: String.raw`[\w-]{20,255}` },
  { start: "[sr]k_live_", body: "[A-Za-z0-9]{16,128}" },
  { start: "AKIA", body: "[0-9A-Z]{16}" },
  { start: "AIza", body: String.raw`[\w-]{30,64}` },
  { start: "xox[abposr]-", body: String.raw`[\w-]{10,255}` },
  { start: "eyJ", body: String.raw`[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}` },
];

/** Of two with the same beginning, the longer one comes first. */
export const maskedShapes: readonly SecretShape[] = [...looserShapes, ...secretFormats];
