import { createVerify, generateKeyPairSync, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { hourMs, type Instant } from "#core/model/instant.ts";
import type { Permissions, Rights } from "#github-like/rights.ts";

/** An App as its owner knows it. */
export interface GithubLikeApp {
  readonly id: number;
  readonly slug: string;
  /** As GitHub hands it out: PKCS#1. */
  readonly privateKey: string;
  readonly privateKeyPkcs8: string;
  readonly installation: number;
  readonly bot: Account;
  readonly permissions: Permissions;
}

export interface AppState {
  readonly apps: readonly GithubLikeApp[];
  readonly publicKey: string;
  install(made: { readonly bot: Account; readonly permissions: Permissions }): GithubLikeApp;
  /** Without a time it is good for ever. */
  issue(rights: InstallationRights, expiresAt: Instant | null): string;
  findIssued(token: string): Issued | undefined;
  revoke(token: string): void;
}

export type InstallationRights = Rights & { readonly kind: "installation" };

export interface Issued {
  readonly rights: InstallationRights;
  readonly expiresAt: Instant | null;
}

/** Installation tokens are good for an hour. */
export const tokenLifeMs = hourMs;

export function createAppState(): AppState {
  const apps: GithubLikeApp[] = [];
  const issued = new Map<string, Issued>();
  const { publicKey, privateKey, privateKeyPkcs8 } = keys();
  return {
    apps,
    publicKey,
    install({ bot, permissions }) {
      const number = apps.length + 1;
      const slug = bot.login.replace(/\[bot\]$/, "");
      const made = {
        id: 1000 + number,
        slug,
        privateKey,
        privateKeyPkcs8,
        installation: 5000 + number,
        bot,
        permissions,
      };
      apps.push(made);
      return made;
    },
    issue(rights, expiresAt) {
      const token = `ghs_${randomBytes(18).toString("hex")}`;
      issued.set(token, { rights, expiresAt });
      return token;
    },
    findIssued: (token) => issued.get(token),
    revoke: (token) => void issued.delete(token),
  };
}

export interface JwtRead {
  readonly app: GithubLikeApp;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const Claims = z.object({ iss: z.coerce.string(), iat: z.number(), exp: z.number() });

/** Which App signed this JWT; undefined where none did. Whether it is good at this moment is another question. */
export function readJwt({ apps, publicKey }: AppState, jwt: string): JwtRead | undefined {
  const [head = "", body = "", signature = ""] = jwt.split(".");
  const verifier = createVerify("RSA-SHA256").update(`${head}.${body}`);
  if (!verifier.verify(publicKey, signature, "base64url")) return undefined;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
  const app = apps.find(({ id }) => String(id) === claims.data?.iss);
  if (claims.data === undefined || app === undefined) return undefined;
  return { app, issuedAt: claims.data.iat, expiresAt: claims.data.exp };
}

type Keys = Readonly<Record<"publicKey" | "privateKey" | "privateKeyPkcs8", string>>;
let made: Keys | undefined;

/** One pair for the whole process: making it takes longer than most tests. */
function keys(): Keys {
  if (made !== undefined) return made;
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  made = {
    publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    privateKeyPkcs8: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  return made;
}
