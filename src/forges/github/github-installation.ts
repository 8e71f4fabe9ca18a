import { z } from "zod";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import type { RepositoryList } from "#forges/forge-descriptor.ts";
import { isSuccess } from "#forges/forge-response.ts";
import type { GithubAccess } from "#forges/github/github-access.ts";
import { createApp } from "#forges/github/github-app.ts";
import { forgeError, malformedResponse } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { type WalkedList, walkPages } from "#forges/github/github-pages.ts";
import { createSend, type Send } from "#forges/github/github-transport.ts";
import type { Clock } from "#ports/clock.ts";

const RepositoryEntry = z.object({ full_name: z.string().min(1) });
type RepositoryEntry = z.infer<typeof RepositoryEntry>;
const RepositoryPage = z.object({ repositories: z.array(RepositoryEntry) });

export async function fetchInstallationRepositories(settings: {
  readonly url: string;
  readonly access: Extract<GithubAccess, { readonly kind: "app" }>;
  readonly clock: Clock;
}): Promise<RepositoryList> {
  const { url, access, clock } = settings;
  const send = createSend({
    baseUrl: url.replace(/\/+$/, ""),
    fetch: boundedFetch(environmentFetch(), githubLimits.answerBytesMax),
    clock,
  });
  const app = createApp({ access, send });
  const installations =
    access.installation === null ? await app.listInstallations() : { ids: [access.installation], isCut: false };
  const names = new Set<string>();
  let { isCut } = installations;
  for (const installation of installations.ids) {
    const narrowed = { permissions: { metadata: "read" } };
    const { token } = await app.createToken({ where: `installation ${installation}`, installation, narrowed });
    const listed = await listRepositories(send, token);
    for (const { full_name: name } of listed.entries) names.add(name);
    isCut ||= listed.isCut;
  }
  return { names: [...names], isCut };
}

async function listRepositories(send: Send, token: string): Promise<WalkedList<RepositoryEntry>> {
  const what = "list repositories";
  return await walkPages({
    keyOf: ({ full_name: name }) => name,
    async fetchPage(params) {
      const answer = await send({
        method: "GET",
        path: "/installation/repositories",
        params: { ...params },
        headers: { authorization: `bearer ${token}` },
        timeoutMs: githubLimits.readTimeoutMs,
      });
      if (!isSuccess(answer)) throw forgeError({ what, isWrite: false, answer });
      const read = RepositoryPage.safeParse(answer.data);
      if (!read.success) throw malformedResponse(what, false, read.error);
      return { entries: read.data.repositories, answer };
    },
  });
}
