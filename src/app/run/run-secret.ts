import { createHmac } from "node:crypto";
import { descriptorOf } from "#app/forge/forge-table.ts";
import { findBlockSecret, secretVariable } from "#app/serve/block-secret-file.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { type BlockSecret, makeBlockSecret } from "#core/blocks/block-secret.ts";
import { type ForgeCredentials, revealCredentials } from "#forges/forge-credentials.ts";
import type { ForgeLocation } from "#forges/forge-descriptor.ts";

export interface RunSecretOptions {
  readonly given: string | undefined;
  readonly location: Pick<ForgeLocation, "kind">;
  readonly key: ForgeCredentials;
  readonly isJob: boolean;
  /** A run that only reads leaves no notes, and may go on without those of others. */
  readonly isReadOnly: boolean;
}

/** Signs the notes of a run. From public data anyone could derive it, so it comes from what only the owner has. */
export async function runSecret(options: RunSecretOptions): Promise<BlockSecret> {
  const { given, key, isReadOnly } = options;
  if (given !== undefined && given !== "") return await findBlockSecret({ folder: "", given, isShared: true });
  if (!isShortLived(options)) return derived(revealCredentials(key));
  if (isReadOnly) return derived(createSystemRandom().token());
  throw new StartError(
    `${secretVariable} is not set, and the token of this job ends with it: the next run could not recognise the notes of this one. ` +
      `Make a secret once (openssl rand -hex 32), keep it as the repository secret ${secretVariable}, and pass it to this job.`,
  );
}

/** One-way, so that the notes reveal nothing of the key. Its name keeps it apart from other uses of the key. */
function derived(source: string): BlockSecret {
  return makeBlockSecret(createHmac("sha256", source).update("drover run: block secret 1").digest());
}

function isShortLived({ location, key, isJob }: RunSecretOptions): boolean {
  return key.kind === "token" && !descriptorOf(location.kind).run.isTokenLasting(key.token.reveal(), { isJob });
}
