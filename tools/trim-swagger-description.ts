/** A Swagger 2 description, as far as it is looked into. */
export interface Swagger {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface SwaggerWanted {
  readonly version: string;
  readonly operations: readonly { readonly method: string; readonly path: string }[];
}

export interface TrimmedSwagger {
  readonly license: string;
  readonly version: string;
  readonly operations: Readonly<Record<string, unknown>>;
  /** The schemas that the operations refer to, as JSON Schema. */
  readonly $defs: Readonly<Record<string, unknown>>;
}

/** The description is part of Gitea. */
const license = "From Gitea's own description of its API. Copyright The Gitea Authors, MIT License.";

/** Keeps what is needed to judge these operations, and writes it as JSON Schema. What it does not have is left out. */
export function trimSwagger(swagger: Swagger, { version, operations }: SwaggerWanted): TrimmedSwagger {
  const kept: Record<string, unknown> = {};
  const names = new Set<string>();
  for (const { method, path } of operations) {
    const operation = swagger.paths[path]?.[method.toLowerCase()];
    if (isRecord(operation)) kept[`${method} ${path}`] = trimOperation(swagger, operation, names);
  }
  const $defs: Record<string, unknown> = {};
  // The set grows while it is walked: a schema names others.
  for (const name of names) $defs[name] = corrected(name, toJsonSchema(swagger.definitions[name], names));
  return { license, version, operations: sorted(kept), $defs: sorted($defs) };
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(entries: Fields): Fields {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function trimOperation(swagger: Swagger, operation: Fields, names: Set<string>): Fields {
  const parameters = (Array.isArray(operation["parameters"]) ? operation["parameters"] : []).filter(isRecord);
  const body = parameters.find((parameter) => parameter["in"] === "body");
  const answers = Object.entries(isRecord(operation["responses"]) ? operation["responses"] : {});
  return {
    parameters: parameters
      .filter((parameter) => parameter !== body)
      .map(({ name, in: place, required, ...schema }) => ({
        name,
        in: place,
        required: required === true,
        schema: toJsonSchema(schema, names),
      })),
    body:
      body === undefined ? null : { required: body["required"] === true, schema: toJsonSchema(body["schema"], names) },
    answers: Object.fromEntries(
      answers
        .filter(([status]) => status.startsWith("2"))
        .map(([status, answer]) => [status, toJsonSchema(schemaOf(swagger, answer), names)]),
    ),
  };
}

function schemaOf({ responses }: Swagger, answer: unknown): unknown {
  if (!isRecord(answer)) return null;
  const name = typeof answer["$ref"] === "string" ? answer["$ref"].split("/").at(-1) : undefined;
  const found = name === undefined ? answer : responses[name];
  return (isRecord(found) ? found["schema"] : undefined) ?? null;
}

/** What says nothing about validity. */
const dropped: ReadonlySet<string> = new Set([
  "description",
  "example",
  "title",
  "default",
  "readOnly",
  "collectionFormat",
]);

/** Fields that are not described are a mistake of whoever sends them, although Gitea would not say so. */
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
    fields[key] = key === "properties" && isRecord(field) ? eachField(field, names) : toJsonSchema(field, names);
  }
  const isOpen = fields["properties"] === undefined || fields["additionalProperties"] !== undefined;
  return isOpen ? fields : { ...fields, additionalProperties: false };
}

/** The names of properties are anybody's words. What is a pointer or a slice in Go may be null, and nothing says so. */
function eachField(properties: Fields, names: Set<string>): Fields {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const schema = toJsonSchema(field, names);
      return [name, isRecord(schema) && mayBeNull(schema) ? { anyOf: [schema, { type: "null" }] } : schema];
    }),
  );
}

function mayBeNull(schema: Fields): boolean {
  const { type, format } = schema;
  return schema["$ref"] !== undefined || type === "array" || type === "object" || format === "date-time";
}

/** Where the description leaves out what the program does. */
function corrected(name: string, schema: unknown): unknown {
  const added = additions.get(name);
  if (added === undefined || !isRecord(schema)) return schema;
  const { required: _, ...rest } = schema;
  const known = isRecord(schema["properties"]) ? schema["properties"] : {};
  return { ...rest, properties: { ...known, ...added } };
}

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const additions: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["User", { username: text }],
  ["PullRequest", { merge_commit_sha: textOrNull }],
  ["ContentsResponse", { target: textOrNull, submodule_git_url: textOrNull }],
  // Both spellings are read from 1.26 on, and only one of them is described.
  ["MergePullRequestOption", { Do: text, MergeTitleField: text, MergeMessageField: text, MergeCommitID: text }],
]);
