/** The shape of one kind of key that its issuer made recognisable. */
export interface SecretFormat {
  /** With its article, as it is put into a sentence. */
  readonly name: string;
  readonly score: number;
  /** The group `start` is known to everybody, the group `body` is the secret. Every repetition has an upper bound. */
  readonly shape: RegExp;
  /** The last six characters are a checksum of the others, so a made-up one can be told from an issued one. */
  readonly hasChecksum?: boolean;
}

/** Characters that would make a longer word of it: then it is something else. */
export const wordCharacter = /[A-Za-z0-9_-]/;

function format(name: string, score: number, shape: RegExp): SecretFormat {
  return { name, score, shape };
}

export const googleKey = format("a Google API key", 8, /(?<start>AIza)(?<body>[0-9A-Za-z_-]{35})/g);

/**
 * Formats with a prefix of their own, and none that is only "a long random word". Keys that are public by design
 * (Stripe's `pk_`, Firebase's web keys) and keys of test modes are left out.
 */
export const secretFormats: readonly SecretFormat[] = [
  { ...format("a GitHub token", 10, /(?<start>gh[pousr]_)(?<body>[A-Za-z0-9]{36,255})/g), hasChecksum: true },
  format("a GitHub token", 10, /(?<start>github_pat_)(?<body>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})/g),
  format("a GitLab token", 10, /(?<start>gl(?:pat|dt|rt|cbt|ptt|soat)-)(?<body>[A-Za-z0-9_-]{20,60})/g),
  { ...format("an npm token", 10, /(?<start>npm_)(?<body>[A-Za-z0-9]{36})/g), hasChecksum: true },
  format("a registry token", 10, /(?<start>_authToken=)(?<body>[A-Za-z0-9-]{36,200})/g),
  format("a PyPI token", 10, /(?<start>pypi-AgEIcHlwaS5vcmc)(?<body>[A-Za-z0-9_-]{50,250})/g),
  format("an AWS access key", 10, /(?<start>A(?:KIA|SIA))(?<body>[A-Z2-7]{16})/g),
  format(
    "an AWS secret key",
    10,
    /(?<start>(?:aws_?secret_?access_?key|secretAccessKey|SecretAccessKey|AWS_SECRET_ACCESS_KEY)["']?\s{0,4}[:=]\s{0,4}["']?)(?<body>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
  ),
  format("an Anthropic key", 10, /(?<start>sk-ant-[a-z]{2,8}\d{2}-)(?<body>[A-Za-z0-9_-]{80,120})/g),
  format("an OpenAI key", 10, /(?<start>sk-(?:proj|svcacct|admin)-)(?<body>[A-Za-z0-9_-]{40,220})/g),
  format("an OpenAI key", 10, /(?<start>sk-)(?<body>[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})/g),
  googleKey,
  format("a Google client secret", 10, /(?<start>GOCSPX-)(?<body>[A-Za-z0-9_-]{28})/g),
  format("a live Stripe key", 10, /(?<start>[sr]k_live_)(?<body>[A-Za-z0-9]{20,120})/g),
  format("a Slack token", 10, /(?<start>xox[abpors]-)(?<body>\d{9,14}-\d{9,14}-[A-Za-z0-9-]{18,80})/g),
  format("a Slack app token", 10, /(?<start>xapp-\d-)(?<body>[A-Z0-9]{8,14}-\d{9,14}-[a-f0-9]{60,70})/g),
  format(
    "a Slack webhook",
    9,
    /(?<start>hooks\.slack\.com\/services\/)(?<body>T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{24})/g,
  ),
  format("a SendGrid key", 10, /(?<start>SG\.)(?<body>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})/g),
  format("a DigitalOcean token", 10, /(?<start>do[opr]_v1_)(?<body>[a-f0-9]{64})/g),
  format("a Hugging Face token", 10, /(?<start>hf_)(?<body>[A-Za-z]{34})/g),
  format("a Shopify token", 10, /(?<start>shp(?:at|ca|pa|ss)_)(?<body>[a-fA-F0-9]{32})/g),
  format("an Azure storage key", 10, /(?<start>AccountKey=)(?<body>[A-Za-z0-9+/]{86}==)/g),
  format("a Vault token", 10, /(?<start>hv[sb]\.)(?<body>[A-Za-z0-9_-]{90,200})/g),
];
