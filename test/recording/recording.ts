import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { hasCode } from "#core/error-code.ts";

/**
 * What a Gitea 1.21.8 answered and sent, as it was recorded: calls in their order, and webhooks signed with one secret.
 * The file is large and lies beside the repository, not in it.
 */
const Recording = z.object({
  calls: z.array(
    z.object({
      /** Whose token it was. */
      as: z.string(),
      request: z.object({ method: z.string(), path: z.string() }),
      response: z.object({
        status: z.number(),
        headers: z.record(z.string(), z.string()),
        body: z.unknown().optional(),
      }),
    }),
  ),
  hooks: z.array(z.object({ headers: z.record(z.string(), z.string()), raw: z.string() })),
});
export type Recording = z.infer<typeof Recording>;

export const recordedSecret = "s3cret";

const variable = "DROVER_GITEA_RECORDING";
const usualPath = "../shared/data/gitea-1.21.8-recording.json";

/**
 * Undefined where there is none, which is told on standard error: a clone of the repository alone cannot have it, so
 * that its absence must not fail anybody's run; a skipped test would. What is there and is no recording does fail.
 */
export async function findRecording(): Promise<Recording | undefined> {
  const path = resolve(process.env[variable] ?? usualPath);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    process.stderr.write(`no recording of Gitea at ${path} (${variable}): nothing of it is replayed\n`);
    return undefined;
  }
  return Recording.parse(JSON.parse(text));
}
