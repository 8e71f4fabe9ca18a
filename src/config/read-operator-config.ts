import { type Document, parseDocument } from "yaml";
import { z } from "zod";
import { closestWord } from "#config/closest-word.ts";
import { OperatorConfig } from "#config/operator-config.ts";

export type ReadConfig =
  | { readonly kind: "read"; readonly config: OperatorConfig }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

/** Reads `drover.config.yml`. Every problem is named with its place, so that one round of repairs is enough. */
export function readOperatorConfig(text: string): ReadConfig {
  const document = parseDocument(text, { uniqueKeys: true });
  if (document.errors.length > 0) {
    return { kind: "wrong", problems: document.errors.map(({ message }) => message.split("\n", 1)[0] ?? message) };
  }
  const value = valueOf(document);
  if (value.kind === "wrong") return value;
  const parsed = OperatorConfig.safeParse(value.value);
  if (parsed.success) return { kind: "read", config: parsed.data };
  return { kind: "wrong", problems: parsed.error.issues.flatMap((issue) => problemsOf(issue)) };
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

function problemsOf(issue: z.core.$ZodIssue): readonly string[] {
  const place = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  if (issue.code !== "unrecognized_keys") return [`${place}${issue.message}`];
  return issue.keys.map((key) => {
    const meant = closestWord(key, knownKeys);
    return `${place}there is no key "${key}"${meant === undefined ? "" : `; is "${meant}" meant?`}`;
  });
}

const knownKeys: readonly string[] = keysIn(z.toJSONSchema(OperatorConfig, { io: "input", unrepresentable: "any" }));

/** All names of properties, at any depth: a suggestion may come from another place, which often is the mistake. */
function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = { properties: undefined, ...schema };
  const own = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return [...new Set([...own, ...Object.values(schema).flatMap((value) => keysIn(value))])];
}
