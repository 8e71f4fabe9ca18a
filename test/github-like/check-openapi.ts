import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { default as addFormats } from "ajv-formats";
import { z } from "zod";
import type { Incoming } from "#github-like/incoming.ts";
import type { Asked, Route, Said } from "#github-like/rest/route.ts";

/** Judges requests and answers by GitHub's own description of its API. */
export interface OpenapiCheck {
  request(route: Route, asked: { readonly incoming: Incoming; readonly params: Asked["params"] }): readonly string[];
  answer(route: Route, said: Said): readonly string[];
  /** Whether the errors of a 422 are plain words here, or objects as in most places. */
  hasPlainErrors(route: Route): boolean;
}

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
type Operation = Described["operations"][string];

const commonId = "github";

let made: OpenapiCheck | undefined;

/** One for the whole process: schemas are compiled when they are first needed, and kept. */
export function openapiCheck(): OpenapiCheck {
  if (made !== undefined) return made;
  const text = readFileSync(new URL("./openapi.json", import.meta.url), "utf8");
  // A schema that many operations name is compiled once, where it has an address of its own.
  made = createCheck(Described.parse(JSON.parse(text.replaceAll('"#/$defs/', `"${commonId}#/$defs/`))));
  return made;
}

/** There, and nowhere described; it answers like its sibling. */
const undescribed: ReadonlyMap<string, string> = new Map([
  ["GET /repositories/{repository_id}", "GET /repos/{owner}/{repo}"],
]);

function createCheck({ operations, $defs }: Described): OpenapiCheck {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: commonId, $defs });
  const compiled = new Map<unknown, ValidateFunction>();
  const problemsOf = (schema: unknown, value: unknown, where: string): readonly string[] => {
    if (typeof schema !== "object" || schema === null) return [];
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${where}${instancePath}: ${message ?? "wrong"}`);
  };
  const find = (route: Route): { readonly name: string; readonly operation: Operation } => {
    const name = `${route.method} ${route.path}`;
    const operation = operations[undescribed.get(name) ?? name];
    if (operation === undefined) throw new Error(`${name} is not described: run the tool that trims the description`);
    return { name, operation };
  };
  return {
    request(route, { incoming, params }) {
      const { name, operation } = find(route);
      const isTwin = undescribed.has(name);
      return [
        ...(isTwin ? [] : parameterProblems(operation, { incoming, params, problemsOf })),
        ...bodyProblems(operation, { incoming, problemsOf }),
      ].map((problem) => `request ${name}: ${problem}`);
    },
    hasPlainErrors: (route) => JSON.stringify(find(route).operation.answers["422"] ?? null).includes("error-simple"),
    answer(route, { status, body }) {
      const { name, operation } = find(route);
      const schema = operation.answers[String(status)];
      const isError = status >= 400;
      // What a client has already needs no description.
      if (status === 304) return [];
      if (schema === undefined && !isError) return [`answer ${name}: ${status} is not described`];
      const isJson = !Buffer.isBuffer(body);
      const wanted = schema ?? (isError ? $defs["basic-error"] : undefined);
      return isJson ? problemsOf(wanted, body, `answer ${name} ${status} `) : [];
    },
  };
}

type Problems = (schema: unknown, value: unknown, where: string) => readonly string[];

function parameterProblems(
  { parameters }: Operation,
  { incoming, params, problemsOf }: { incoming: Incoming; params: Asked["params"]; problemsOf: Problems },
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

function bodyProblems(
  { body }: Operation,
  { incoming, problemsOf }: { incoming: Incoming; problemsOf: Problems },
): readonly string[] {
  if (incoming.isBroken) return ["the body is no JSON"];
  if (incoming.body === undefined) return body?.required === true ? ["there is no body"] : [];
  if (body === null) return isEmpty(incoming.body) ? [] : ["it takes no body"];
  return problemsOf(body.schema, incoming.body, "body ");
}

function isEmpty(body: unknown): boolean {
  return typeof body === "object" && body !== null && Object.keys(body).length === 0;
}
