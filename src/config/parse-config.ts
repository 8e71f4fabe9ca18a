import { type Document, LineCounter, parseDocument, type YAMLParseError } from "yaml";
import { z } from "zod";
import { closestWord } from "#config/closest-word.ts";
import { findYamlLimitExceeded } from "#config/yaml-limits.ts";
import { errorText } from "#core/error-text.ts";

export type ParsedConfig<Schema extends z.ZodType> =
  | { readonly kind: "read"; readonly value: z.infer<Schema> }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

/** Names the place of every problem, and for unknown keys what was probably meant. */
export function parseConfig<Schema extends z.ZodType>(schema: Schema, text: string): ParsedConfig<Schema> {
  const value = readYaml(text);
  return value.kind === "wrong" ? value : checkConfig(schema, value.value);
}

export function readYaml(text: string): Value {
  const excess = findYamlLimitExceeded(text);
  if (excess !== undefined) return { kind: "wrong", problems: [excess] };
  // Warnings would go to the process's own output, with words of the file in them.
  const lines = new LineCounter();
  // Drawing the place of each mistake takes longer than all the rest, and may show a secret.
  const manner = { uniqueKeys: true, logLevel: "error", prettyErrors: false, lineCounter: lines } as const;
  const document = parseDocument(text, manner);
  if (document.errors.length > 0) {
    return {
      kind: "wrong",
      problems: document.errors.slice(0, yamlErrorsMax).map((error) => placedMistake(error, lines)),
    };
  }
  return valueOf(document);
}

export function checkConfig<Schema extends z.ZodType>(schema: Schema, value: unknown): ParsedConfig<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: "read", value: parsed.data };
  const known = knownKeys(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const issues = parsed.error.issues.slice(0, issuesMax);
  return { kind: "wrong", problems: issues.flatMap((issue) => problemsOf(issue, known)) };
}

/** After the first mistakes the parser finds more in every line of a file that is no YAML. */
const yamlErrorsMax = 3;

function placedMistake({ message, pos: [at] }: YAMLParseError, lines: LineCounter): string {
  const { line, col } = lines.linePos(at);
  return `${message.split("\n", 1)[0] ?? message} at line ${line}, column ${col}`;
}

/** People do not read more of them, and each takes time to word. */
const issuesMax = 100;

/** A few lines of aliases can stand for more text than a machine can hold. */
const aliasesMax = 100;

type Value =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

function valueOf(document: Document.Parsed): Value {
  try {
    return { kind: "value", value: document.toJS({ maxAliasCount: aliasesMax }) ?? {} };
  } catch (error) {
    return { kind: "wrong", problems: [errorText(error)] };
  }
}

function problemsOf(issue: z.core.$ZodIssue, known: KnownKeys): readonly string[] {
  const place = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  if (issue.code !== "unrecognized_keys") return [`${place}${issue.message}`];
  const rest = issue.keys.length - keysNamedMax;
  return [
    ...issue.keys
      .slice(0, keysNamedMax)
      .map((key) => `${place}there is no key "${key}"${hintFor(key, issue.path, known)}`),
    ...(rest > 0 ? [`${place}and ${rest} more keys that there are not`] : []),
  ];
}

/** Each search takes a while, and a file with more unknown keys is some other file. */
const keysNamedMax = 20;

/** Prefers keys of this place: a role has a `model`, though there are `models` elsewhere. Else lists all, if few. */
function hintFor(key: string, path: readonly PropertyKey[], { at, anywhere }: KnownKeys): string {
  const here = at(path);
  const meant = closestWord(key, here) ?? closestWord(key, anywhere);
  if (meant !== undefined) return `; is "${meant}" meant?`;
  return here.length === 0 || here.length > keysListedMax ? "" : `. There is: ${here.join(", ")}.`;
}

const keysListedMax = 12;
interface KnownKeys {
  readonly at: (path: readonly PropertyKey[]) => readonly string[];
  readonly anywhere: readonly string[];
}

/** Our schemas give a JSON Schema without references. */
function knownKeys(schema: unknown): KnownKeys {
  return { at: (path) => [...new Set(keysAt(schema, path))], anywhere: [...new Set(keysIn(schema))] };
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (!isRecord(schema)) return [];
  const others = ["anyOf", "oneOf", "allOf"].flatMap((word) => listOf(schema[word]));
  return [...ownKeysAt(schema, path), ...others.flatMap((other) => keysAt(other, path))];
}

function ownKeysAt(schema: Readonly<Record<string, unknown>>, path: readonly PropertyKey[]): readonly string[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(properties);
  if (typeof step === "number") return keysAt(schema["items"], rest);
  return keysAt(properties[String(step)] ?? schema["additionalProperties"], rest);
}

function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = { properties: undefined, ...schema };
  const own = isRecord(properties) ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap((value) => keysIn(value))];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
