import type { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { readStored } from "#core/model/stored.ts";
import { type JobContext, throwIfLeaseLost } from "#jobs/job-context.ts";

export interface Step<Schema extends z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * The result of a slow step of the job: computed the first time, and read from the store after a crash. A result that
 * arrives after the lease was lost is thrown away, since the worker was told to stop.
 */
export async function rememberStep<Schema extends z.ZodType>(
  context: JobContext,
  { name, schema }: Step<Schema>,
  make: () => Promise<Data<Schema>>,
): Promise<Data<Schema>> {
  const known = await findStep(context, { name, schema });
  if (known !== undefined) return known;
  const made = await make();
  throwIfLeaseLost(context);
  return readStep({ name, schema }, await context.dependencies.store.saveStep({ job: context.key, step: name }, made));
}

export async function findStep<Schema extends z.ZodType>(
  context: JobContext,
  { name, schema }: Step<Schema>,
): Promise<Data<Schema> | undefined> {
  const known = await context.dependencies.store.findStep({ job: context.key, step: name });
  return known === undefined || known === null ? undefined : readStep({ name, schema }, known);
}

export function readStep<Schema extends z.ZodType>({ name, schema }: Step<Schema>, kept: unknown): Data<Schema> {
  return readStored(schema, kept, `the stored result of the step ${JSON.stringify(name)}`);
}
