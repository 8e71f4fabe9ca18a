import { z } from "zod";

/** A part that is `.` or `..` would lead elsewhere in every address that is made of the name. */
export const RepositoryName = z.string().regex(/^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/);

/** The largest number that the store's column takes. */
const pullNumberMax = 2 ** 31 - 1;
export const PullNumber = z.int().min(1).max(pullNumberMax);

const Named = z.object({
  repository: z.object({ full_name: z.string() }).optional().catch(undefined),
  pull_request: z.object({ number: z.number() }).optional().catch(undefined),
  issue: z.object({ number: z.number() }).optional().catch(undefined),
});

export function namesNothing(body: unknown): boolean {
  const named = Named.safeParse(body).data;
  const isOddName = named?.repository !== undefined && !RepositoryName.safeParse(named.repository.full_name).success;
  const numbers = [named?.pull_request?.number, named?.issue?.number].filter((number) => number !== undefined);
  return isOddName || numbers.some((number) => !PullNumber.safeParse(number).success);
}
