import { createSecretMasker, noSecrets, type SecretMasker } from "#core/secrets/known-secrets.ts";
import type { NamedSecret } from "#core/secrets/secret-parts.ts";
import type { Log } from "#ports/log.ts";

/** All secrets that this process has come to know. */
export interface SecretRegistry extends SecretMasker {
  /** From now on it is masked as well. What was known stays so: a key that was replaced may still open something. */
  readonly register: (secret: NamedSecret) => void;
  /** One that is good for an hour, and followed by others: the oldest of them are forgotten. */
  readonly registerShortLived: (secret: NamedSecret) => void;
}

const lastingMax = 200;
/** An App has one for each repository and kind of call. Those that it used last are what could be told now. */
const passingMax = 30;

export function createSecretRegistry(log: Pick<Log, "warn">): SecretRegistry {
  const lasting = createShelf(log, lastingMax);
  // Apart from the others: each new one means to learn all on its shelf anew, and a private key is long.
  const passing = createShelf(log, passingMax);
  return {
    register: lasting.register,
    registerShortLived: passing.register,
    mask: (text) => passing.mask(lasting.mask(text)),
  };
}

function createShelf(log: Pick<Log, "warn">, countMax: number): Pick<SecretRegistry, "register" | "mask"> {
  const names = new Map<string, string>();
  let known: SecretMasker | null = noSecrets;
  const learnAll = (): SecretMasker =>
    createSecretMasker(Array.from(names, ([value, name]) => ({ name, value }))).known;
  return {
    register: ({ name, value }) => {
      if (value === "" || names.has(value)) return;
      for (const { why } of createSecretMasker([{ name, value }]).unfit) {
        log.warn({ secret: name, why }, "a secret is not kept out of comments and logs: choose a stronger one");
      }
      names.set(value, name);
      const [oldest] = names.keys();
      if (names.size > countMax && oldest !== undefined) names.delete(oldest);
      known = null;
    },
    mask: (text) => {
      // Several are learnt in a row, and only the next text needs them.
      known ??= learnAll();
      return known.mask(text);
    },
  };
}
