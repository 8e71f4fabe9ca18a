import type { z } from "zod";

/** Unreadable lines are left out. Undefined where no line is JSON: a page of another server says nothing about the lines. */
export function readJsonLines<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): readonly z.output<Schema>[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parseJson).filter((value) => value !== undefined);
  if (values.length === 0 && lines.length > 0) return undefined;
  return values.flatMap((value) => {
    const read = schema.safeParse(value);
    return read.success ? [read.data] : [];
  });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
