/** The names that an object at some place of a schema can have, and those at any place of it. */
export interface KnownKeys {
  readonly at: (path: readonly PropertyKey[]) => readonly string[];
  readonly anywhere: readonly string[];
}

/** Reads them from a JSON Schema without references, as one is made of our own schemas. */
export function knownKeys(schema: unknown): KnownKeys {
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
