import { z } from "zod";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import type { GithubAccess } from "#forges/github/github-access.ts";
import { createApp } from "#forges/github/github-app.ts";
import { forgeError, isSuccess, malformed } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { createSend, type Send } from "#forges/github/github-transport.ts";
import type { Clock } from "#ports/clock.ts";

const RepositoryPage = z.object({ repositories: z.array(z.object({ full_name: z.string().min(1) })) });

/** More than anybody polls. */
const repositoriesMax = 5_000;

/** The names of all repositories that an App may work on: those of its installation, or of all of them. */
export async function fetchInstallationRepositories(settings: {
  readonly url: string;
  readonly access: Extract<GithubAccess, { readonly kind: "app" }>;
  readonly clock: Clock;
}): Promise<readonly string[]> {
  const { url, access, clock } = settings;
  const send = createSend({
    baseUrl: url.replace(/\/+$/, ""),
    fetch: boundedFetch(environmentFetch(), githubLimits.answerBytesMax),
    clock,
  });
  const app = createApp({ access, send });
  const installations = access.installation === null ? await app.listInstallations() : [access.installation];
  const names = new Set<string>();
  for (const installation of installations) {
    const narrowed = { permissions: { metadata: "read" } };
    const { token } = await app.createToken({ where: `installation ${installation}`, installation, narrowed });
    for (const name of await listRepositories(send, token)) names.add(name);
  }
  return [...names];
}

async function listRepositories(send: Send, token: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let page = 1; names.length < repositoriesMax; page++) {
    const answer = await send({
      method: "GET",
      path: "/installation/repositories",
      params: { per_page: githubLimits.pageSize, page },
      headers: { authorization: `bearer ${token}` },
      timeoutMs: githubLimits.readTimeoutMs,
    });
    const what = "list repositories";
    if (!isSuccess(answer)) throw forgeError({ what, isWrite: false, answer });
    const read = RepositoryPage.safeParse(answer.data);
    if (!read.success) throw malformed(what, false, read.error);
    names.push(...read.data.repositories.map(({ full_name: name }) => name));
    if (read.data.repositories.length < githubLimits.pageSize) break;
  }
  return names;
}
