import { createSecretMasker, noSecrets, type SecretMasker } from "#core/secrets/known-secrets.ts";
import type { NamedSecret } from "#core/secrets/secret-parts.ts";
import type { Log } from "#ports/log.ts";

export interface SecretRegistry extends SecretMasker {
  /** Replaced keys stay known: they may still be valid. */
  readonly register: (secret: NamedSecret) => void;
  /** For secrets that last an hour: the oldest of them are forgotten. */
  readonly registerShortLived: (secret: NamedSecret) => void;
}

const lastingMax = 200;
/** An App has one for each repository and kind of call. Only the last used ones can still appear in a text. */
const passingMax = 30;

export function createSecretRegistry(log: Pick<Log, "warn">): SecretRegistry {
  const lasting = createShelf(log, lastingMax);
  // Apart from the others: each new secret rebuilds its whole shelf, and a private key is long.
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
      // Several are registered in a row, and only the next text needs them.
      known ??= learnAll();
      return known.mask(text);
    },
  };
}
