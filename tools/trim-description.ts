/** An OpenAPI 3.0 description, as far as it is looked into. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Wanted {
  readonly version: string;
  readonly operations: readonly { readonly method: string; readonly path: string }[];
}

export interface Trimmed {
  readonly description: {
    readonly version: string;
    readonly operations: Readonly<Record<string, TrimmedOperation>>;
    /** The schemas that the operations refer to, as JSON Schema. */
    readonly $defs: Readonly<Record<string, unknown>>;
  };
  /** Operations that the description does not have. */
  readonly missing: readonly string[];
}

export interface TrimmedOperation {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: unknown;
  }[];
  /** Null: it takes none. */
  readonly body: { readonly required: boolean; readonly schema: unknown } | null;
  /** By status; null where the answer has no body. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Keeps what is needed to judge these operations, and writes it as JSON Schema. */
export function trimDescription(description: Description, { version, operations }: Wanted): Trimmed {
  const kept: Record<string, TrimmedOperation> = {};
  const missing: string[] = [];
  const names = new Set<string>(["basic-error", "validation-error", "validation-error-simple"]);
  for (const { method, path } of operations) {
    const operation = description.paths[path]?.[method.toLowerCase()];
    const name = `${method} ${path}`;
    if (isRecord(operation)) kept[name] = trimOperation(description, operation, names);
    else missing.push(name);
  }
  for (const [name, status, schema] of corrections) {
    const operation = kept[name];
    if (operation === undefined) continue;
    kept[name] = { ...operation, answers: { ...operation.answers, [status]: toJsonSchema(schema, names) } };
  }
  const $defs: Record<string, unknown> = {};
  // The set grows while it is walked: a schema names others.
  for (const name of names) $defs[name] = toJsonSchema(description.components["schemas"]?.[name], names);
  return { description: { version, operations: sorted(kept), $defs: sorted($defs) }, missing };
}

/**
 * Where the description contradicts the API itself. The list of installations writes their account as a user and an
 * enterprise at once, which nothing can be; one installation alone is described as it is.
 */
const corrections: readonly (readonly [name: string, status: string, schema: unknown])[] = [
  ["GET /app/installations", "200", { type: "array", items: { $ref: "#/components/schemas/installation" } }],
];

function sorted<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function trimOperation(description: Description, operation: Fields, names: Set<string>): TrimmedOperation {
  const follow = (value: unknown): Fields => resolve(description, value);
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : [];
  const answers = Object.entries(isRecord(operation["responses"]) ? operation["responses"] : {});
  const body = operation["requestBody"] === undefined ? undefined : follow(operation["requestBody"]);
  const bodySchema = body === undefined ? undefined : jsonSchemaOf(body);
  return {
    parameters: parameters.map((parameter: unknown) => {
      const { name, in: place, required, schema } = follow(parameter);
      return {
        name: String(name),
        in: String(place),
        required: required === true,
        schema: toJsonSchema(schema, names),
      };
    }),
    body:
      bodySchema === undefined
        ? null
        : { required: body?.["required"] === true, schema: closed(toJsonSchema(bodySchema, names)) },
    answers: Object.fromEntries(
      answers.map(([status, answer]) => [status, toJsonSchema(jsonSchemaOf(follow(answer)) ?? null, names)]),
    ),
  };
}

function resolve(description: Description, value: unknown): Fields {
  if (!isRecord(value)) return {};
  const reference = value["$ref"];
  if (typeof reference !== "string") return value;
  const [, , kind = "", name = ""] = reference.split("/");
  return resolve(description, description.components[kind]?.[name]);
}

function jsonSchemaOf(holder: Fields): unknown {
  const content = holder["content"];
  const json = isRecord(content) ? content["application/json"] : undefined;
  return isRecord(json) ? json["schema"] : undefined;
}

/** What says nothing about validity, and what JSON Schema spells differently. */
const dropped: ReadonlySet<string> = new Set([
  "description",
  "example",
  "examples",
  "title",
  "default",
  "externalDocs",
  "deprecated",
  "discriminator",
  "readOnly",
  "nullable",
  "xml",
]);

function toJsonSchema(value: unknown, names: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => toJsonSchema(each, names));
  if (!isRecord(value)) return value;
  const reference = value["$ref"];
  if (typeof reference === "string") {
    const name = reference.split("/").at(-1) ?? "";
    names.add(name);
    return { $ref: `#/$defs/${name}` };
  }
  const fields: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (dropped.has(key) || key.startsWith("x-")) continue;
    // The names of properties are anybody's words, `description` among them.
    fields[key] = key === "properties" && isRecord(field) ? eachField(field, names) : toJsonSchema(field, names);
  }
  return value["nullable"] === true ? orNull(fields) : fields;
}

function eachField(properties: Fields, names: Set<string>): Fields {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toJsonSchema(schema, names)]));
}

function orNull(schema: Fields): Fields {
  const { type, enum: words } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [type, "null"], ...(Array.isArray(words) && { enum: [...new Set([...words, null])] }) };
}

/** A field that GitHub does not know is a mistake of whoever sends it, although GitHub would not say so. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema)) return schema;
  const { properties, items, anyOf, oneOf } = schema;
  const hasVariants = Array.isArray(anyOf);
  return {
    ...schema,
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map(closed) }),
    ...(items !== undefined && { items: closed(items) }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closed(field)])),
      ...(schema["additionalProperties"] === undefined && !hasVariants && { additionalProperties: false }),
    }),
  };
}
