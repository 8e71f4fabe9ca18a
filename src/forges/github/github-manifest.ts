import { z } from "zod";
import { errorText } from "#core/error-text.ts";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { permissionsFor } from "#forges/github/github-rights.ts";

/** The rights of all calls together, and the events that say where to look. */
export const githubAppNeeds = {
  permissions: { ...permissionsFor.look, ...permissionsFor.change, ...permissionsFor.talk, contents: "write" },
  events: [
    "check_run",
    "check_suite",
    "issue_comment",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "pull_request_review_thread",
  ],
} as const;

const MadeApp = z.object({
  id: z.number().int().positive(),
  slug: z.string(),
  html_url: z.string(),
  pem: z.string().min(1),
  webhook_secret: z.string().nullable(),
});
export type MadeApp = z.infer<typeof MadeApp>;

export type ManifestConverted =
  | { readonly kind: "made"; readonly app: MadeApp }
  | { readonly kind: "refused"; readonly why: string };

/** The code of the redirect is good once, for an hour. */
export async function convertManifest(asked: {
  readonly apiUrl: string;
  readonly code: string;
}): Promise<ManifestConverted> {
  const url = `${asked.apiUrl.replace(/\/+$/, "")}/app-manifests/${encodeURIComponent(asked.code)}/conversions`;
  try {
    const answer = await boundedFetch(environmentFetch(), githubLimits.answerBytesMax)(url, {
      method: "POST",
      headers: { accept: "application/vnd.github+json", "user-agent": "drover", "x-github-api-version": "2022-11-28" },
      redirect: "error",
      signal: AbortSignal.timeout(githubLimits.writeTimeoutMs),
    });
    if (!answer.ok) return { kind: "refused", why: `GitHub answered ${answer.status} to the code` };
    const made = MadeApp.safeParse(await answer.json());
    return made.success ? { kind: "made", app: made.data } : { kind: "refused", why: "GitHub's answer is no App" };
  } catch (error) {
    return {
      kind: "refused",
      why: `GitHub cannot be reached: ${errorText(error)}`,
    };
  }
}
