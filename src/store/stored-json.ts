import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { readStored } from "#core/model/stored.ts";

export interface RowRef {
  readonly table: string;
  readonly key: string;
}

/** A value that could not be read again would block its row, so it is not written. */
export function writeJson<Schema extends z.ZodType>(schema: Schema, value: Data<Schema>, place: RowRef): string {
  const { error } = schema.safeParse(value);
  if (error !== undefined) throw new Error(`${named(place)} would not read again: ${z.prettifyError(error)}`);
  return jsonOf(value);
}

export function readRow<Schema extends z.ZodType>(schema: Schema, row: unknown, place: RowRef): Data<Schema> {
  return readStored(schema, row, named(place));
}

/** Undefined stands for a missing row, so it cannot be a value. */
export function jsonOf(value: unknown): string {
  // The types of JSON.stringify leave out that it may answer undefined.
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new Error("only plain JSON can be kept");
  return text;
}

function named({ table, key }: RowRef): string {
  return `the row of ${table} under ${JSON.stringify(key)}`;
}
