import { type Document, parseDocument } from "yaml";
import { z } from "zod";
import { closestWord } from "#config/closest-word.ts";

export type ParsedConfig<Schema extends z.ZodType> =
  | { readonly kind: "read"; readonly value: z.infer<Schema> }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

/** Reads YAML against a schema. Every problem is named with its place, and unknown keys with what was probably meant. */
export function parseConfig<Schema extends z.ZodType>(schema: Schema, text: string): ParsedConfig<Schema> {
  const document = parseDocument(text, { uniqueKeys: true });
  if (document.errors.length > 0) {
    return { kind: "wrong", problems: document.errors.map(({ message }) => message.split("\n", 1)[0] ?? message) };
  }
  const value = valueOf(document);
  if (value.kind === "wrong") return value;
  const parsed = schema.safeParse(value.value);
  if (parsed.success) return { kind: "read", value: parsed.data };
  const known = keysIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return { kind: "wrong", problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, known)) };
}

/** A few lines of aliases can stand for more text than a machine can hold. */
const aliasesMax = 100;

type Value =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

function valueOf(document: Document.Parsed): Value {
  try {
    return { kind: "value", value: document.toJS({ maxAliasCount: aliasesMax }) ?? {} };
  } catch (error) {
    return { kind: "wrong", problems: [error instanceof Error ? error.message : String(error)] };
  }
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): readonly string[] {
  const place = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  if (issue.code !== "unrecognized_keys") return [`${place}${issue.message}`];
  return issue.keys.map((key) => {
    const meant = closestWord(key, known);
    return `${place}there is no key "${key}"${meant === undefined ? "" : `; is "${meant}" meant?`}`;
  });
}

/** All names of properties, at any depth: a suggestion may come from another place, which often is the mistake. */
function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = { properties: undefined, ...schema };
  const own = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return [...new Set([...own, ...Object.values(schema).flatMap((value) => keysIn(value))])];
}
