import { Ajv, type ValidateFunction } from "ajv";
import { default as addFormats } from "ajv-formats";
import { z } from "zod";
import type { Incoming } from "#forge-like/incoming.ts";

const Described = z.object({
  operations: z.record(
    z.string(),
    z.object({
      parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })),
      body: z.object({ required: z.boolean(), schema: z.unknown() }).nullable(),
      answers: z.record(z.string(), z.unknown()),
    }),
  ),
  $defs: z.record(z.string(), z.unknown()),
});
type Described = z.infer<typeof Described>;
export type DescribedOperation = Described["operations"][string];

/** A request as it is judged: with the parameters of its path. */
export interface JudgedRequest {
  readonly incoming: Incoming;
  readonly params: Readonly<Record<string, string>>;
}

/** Judges requests and answers by a forge's own description of its API, trimmed to what is served here. */
export interface Judge {
  readonly described: Described;
  parameters(operation: DescribedOperation, request: JudgedRequest): readonly string[];
  body(operation: DescribedOperation, incoming: Incoming): readonly string[];
  value(schema: unknown, value: unknown, where: string): readonly string[];
}

/** Schemas are compiled when they are first needed, and kept. The id tells them from those of other descriptions. */
export function createJudge(text: string, id: string): Judge {
  // A schema that many operations name is compiled once, where it has an address of its own.
  const described = Described.parse(JSON.parse(text.replaceAll('"#/$defs/', `"${id}#/$defs/`)));
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: id, $defs: described.$defs });
  const compiled = new Map<unknown, ValidateFunction>();
  const value: Judge["value"] = (schema, found, where) => {
    if (typeof schema !== "object" || schema === null) return [];
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    if (validate(found)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${where}${instancePath}: ${message ?? "wrong"}${nameIn(params)}`,
    );
  };
  return {
    described,
    value,
    parameters: (operation, request) => parameterProblems(operation, request, value),
    body: (operation, incoming) => bodyProblems(operation, incoming, value),
  };
}

/** A field that should not be there is named. */
function nameIn(params: Readonly<Record<string, unknown>>): string {
  const name = params["additionalProperty"];
  return typeof name === "string" ? ` (${name})` : "";
}

function parameterProblems(
  { parameters }: DescribedOperation,
  { incoming, params }: JudgedRequest,
  problemsOf: Judge["value"],
): readonly string[] {
  const known = new Set(parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name));
  const strange = [...incoming.query.keys()].filter((name) => !known.has(name));
  return [
    ...strange.map((name) => `there is no parameter ${name}`),
    ...parameters.flatMap(({ name, in: place, required, schema }) => {
      const text = place === "query" ? (incoming.query.get(name) ?? undefined) : params[name];
      if (text === undefined) return required && place !== "header" ? [`the parameter ${name} is missing`] : [];
      return problemsOf(schema, readAs(schema, text), `${place} ${name} `);
    }),
  ];
}

/** Text in an address is what its schema says it is. */
function readAs(schema: unknown, text: string): unknown {
  const type: unknown = typeof schema === "object" && schema !== null ? Reflect.get(schema, "type") : undefined;
  if (type === "integer" || type === "number") return text.trim() === "" ? text : Number(text);
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

function bodyProblems({ body }: DescribedOperation, incoming: Incoming, problemsOf: Judge["value"]): readonly string[] {
  if (incoming.isBroken) return ["the body is no JSON"];
  if (incoming.body === undefined) return body?.required === true ? ["there is no body"] : [];
  if (body === null) return isEmpty(incoming.body) ? [] : ["it takes no body"];
  return problemsOf(body.schema, incoming.body, "body ");
}

function isEmpty(body: unknown): boolean {
  return typeof body === "object" && body !== null && Object.keys(body).length === 0;
}
