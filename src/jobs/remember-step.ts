import type { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { readStored } from "#core/model/stored.ts";
import { type JobContext, throwIfLeaseLost } from "#jobs/job-context.ts";

export interface Step<Schema extends z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
}

/** Computed once, and read from the store after a crash. A result after the loss of the lease is dropped. */
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
