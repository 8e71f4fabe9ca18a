import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/** A later version wrote it, or it is broken. The missing part may be a reason not to act. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

export function readStored<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): Data<Schema> {
  const { error, data } = schema.safeParse(value);
  if (error !== undefined) {
    throw new UnreadableError(`${what} does not read: ${z.prettifyError(error)}`, { cause: error });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same value, readonly.
  return data as Data<Schema>;
}
