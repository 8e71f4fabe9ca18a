import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import { maskStrings } from "#core/secrets/mask-strings.ts";
import type { Log } from "#ports/log.ts";

/** An error of a library may quote what it was given. Messages are constant. */
export function maskingLog(log: Log, secrets: SecretMasker): Log {
  return {
    info: (facts, message) => log.info(maskStrings(facts, secrets), message),
    warn: (facts, message) => log.warn(maskStrings(facts, secrets), message),
    error: (facts, message) => log.error(maskStrings(facts, secrets), message),
  };
}
