import { makeSecret, type Secret } from "#config/secret.ts";
import type { SecretSource } from "#config/secret-source.ts";
import { errorText } from "#core/error-text.ts";

export interface SecretLookup {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly onRead?: ((secret: { readonly name: string; readonly value: string }) => void) | undefined;
}

export type ReadSecret =
  | { readonly kind: "read"; readonly secret: Secret }
  | { readonly kind: "missing"; readonly why: string };

/** The line end of a file is not part of the secret. */
export async function readSecret(source: SecretSource, places: SecretLookup): Promise<ReadSecret> {
  const read = await readPlace(source, places);
  const name = "env" in source ? source.env : source.file;
  if (read.kind === "read") places.onRead?.({ name, value: read.secret.reveal() });
  return read;
}

async function readPlace(source: SecretSource, { env, readFile }: SecretLookup): Promise<ReadSecret> {
  if ("env" in source) {
    const value = env[source.env] ?? "";
    if (value !== "") return { kind: "read", secret: makeSecret(value) };
    return { kind: "missing", why: `the environment variable ${source.env} is not set` };
  }
  try {
    const value = (await readFile(source.file)).replace(/\r?\n$/, "");
    if (value !== "") return { kind: "read", secret: makeSecret(value) };
    return { kind: "missing", why: `the file ${source.file} is empty` };
  } catch (error) {
    const why = errorText(error);
    return { kind: "missing", why: `the file ${source.file} cannot be read: ${why}` };
  }
}
