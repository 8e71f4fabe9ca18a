import { createAppAuth } from "@octokit/auth-app";
import { z } from "zod";
import { isSuccess } from "#forges/forge-response.ts";
import type { GithubAccess } from "#forges/github/github-access.ts";
import { forgeError, malformedResponse } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { type PagedList, walkPages } from "#forges/github/github-pages.ts";
import { nameParams } from "#forges/github/github-paths.ts";
import { GithubId } from "#forges/github/github-schema.ts";
import type { Send, TransportRequest, TransportResponse } from "#forges/github/github-transport.ts";
import { ForgeError } from "#ports/forge.ts";

export interface GithubAppOptions {
  readonly access: Extract<GithubAccess, { readonly kind: "app" }>;
  readonly send: Send;
}

const AppInfo = z.object({ id: GithubId, slug: z.string().min(1) });
const Installation = z.object({ id: z.number(), suspended_at: z.string().nullish() });
const AccessToken = z.object({ token: z.string().min(1), expires_at: z.string() });

/** Asked with a JWT of some minutes that the App's key signs. */
export interface GithubApp {
  fetchApp(): Promise<z.infer<typeof AppInfo>>;
  fetchInstallation(repository: string): Promise<number>;
  /** Any that is not suspended, for what belongs to no repository. */
  fetchFirstInstallation(): Promise<number>;
  /** Up to a limit. Suspended ones get no tokens. */
  listInstallations(): Promise<{ readonly ids: readonly number[]; readonly isCut: boolean }>;
  createToken(request: {
    readonly where: string;
    readonly installation: number;
    readonly narrowed: Readonly<Record<string, unknown>>;
  }): Promise<{ readonly token: string; readonly expires_at: string; readonly answer: TransportResponse }>;
}

export function createApp(parts: GithubAppOptions): GithubApp {
  const ask = createAsk(parts);
  return {
    fetchApp: async () =>
      (await ask("look up the App", { method: "GET", path: "/app", params: {}, shape: AppInfo })).body,
    async fetchInstallation(repository) {
      const path = "/repos/{owner}/{repo}/installation";
      const asked = { method: "GET", path, params: nameParams(repository), shape: Installation } as const;
      return (await ask(`${repository}: find installation`, asked)).body.id;
    },
    async fetchFirstInstallation() {
      const { entries } = await walkPages({ ...installations(ask), isEnough: isActive });
      const first = entries.find(isActive);
      if (first !== undefined) return first.id;
      throw new ForgeError("not_found", "github: the App is not installed anywhere", { isApplied: "no" });
    },
    async listInstallations() {
      const { entries, isCut } = await walkPages(installations(ask));
      return { ids: entries.filter(isActive).map(({ id }) => id), isCut };
    },
    async createToken({ where, installation, narrowed }) {
      const { body, answer } = await ask(`${where}: create token`, {
        method: "POST",
        path: "/app/installations/{installation_id}/access_tokens",
        params: { installation_id: installation, ...narrowed },
        shape: AccessToken,
      }).catch(sayMissingPermission);
      return { ...body, answer };
    },
  };
}

function installations(ask: ReturnType<typeof createAsk>): PagedList<z.infer<typeof Installation>> {
  return {
    keyOf: ({ id }) => id,
    async fetchPage(page) {
      const asked = { method: "GET", path: "/app/installations", params: { ...page } } as const;
      const { body, answer } = await ask("list installations", { ...asked, shape: z.array(Installation) });
      return { entries: body, answer };
    },
  };
}

function isActive({ suspended_at: suspendedAt }: z.infer<typeof Installation>): boolean {
  return suspendedAt === null || suspendedAt === undefined;
}

interface Asked<Shape extends z.ZodType> extends Pick<TransportRequest, "method" | "path" | "params"> {
  readonly shape: Shape;
}

/** Sent once: whether it may be repeated depends on what the token is for. */
function createAsk({ access, send }: GithubAppOptions) {
  const signIn = createAppAuth({ appId: access.appId, privateKey: access.privateKey });
  return async <Shape extends z.ZodType>(what: string, { shape, ...asked }: Asked<Shape>) => {
    const { token: jwt } = await signIn({ type: "app" }).catch((cause: unknown) => {
      throw new ForgeError("unauthorized", `github ${what}: the App's key cannot sign`, { isApplied: "no", cause });
    });
    const headers = { authorization: `bearer ${jwt}` };
    const answer = await send({ ...asked, headers, timeoutMs: githubLimits.writeTimeoutMs });
    if (!isSuccess(answer)) throw forgeError({ what, isWrite: false, answer });
    const body = shape.safeParse(answer.data);
    if (!body.success) throw malformedResponse(what, false, body.error);
    return { body: body.data, answer };
  };
}

/** "Unprocessable": missing rights or repository; "not found": a removed installation. The pull is not gone. */
function sayMissingPermission(error: unknown): never {
  const isUntold = error instanceof ForgeError && (error.kind === "refused" || error.kind === "not_found");
  if (!isUntold) throw error;
  throw new ForgeError("forbidden", error.message, { isApplied: "no", cause: error });
}
