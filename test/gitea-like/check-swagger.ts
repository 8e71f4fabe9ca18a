import { readFileSync } from "node:fs";
import { createJudge, type DescribedOperation, type Judge } from "#forge-like/check-described.ts";
import type { Incoming } from "#forge-like/incoming.ts";
import type { Asked, Route, Said } from "#gitea-like/rest/route.ts";
import { isThere, routes } from "#gitea-like/rest/routes.ts";
import type { GiteaVersion } from "#gitea-like/version.ts";

/** Judges requests and answers by Gitea's own description of its API. */
export interface SwaggerCheck {
  request(route: Route, asked: { readonly incoming: Incoming; readonly params: Asked["params"] }): readonly string[];
  answer(route: Route, said: Said): readonly string[];
  /** What `/swagger.v1.json` says of this version, as far as it is served here. */
  readonly document: object;
}

const judges = new Map<string, Judge>();

/** There are two descriptions, each compiled once for the whole process: that of 1.27 holds from 1.26 on. */
export function swaggerCheck(version: GiteaVersion): SwaggerCheck {
  const name = version.isFrom(26) ? "1.27" : "1.25";
  const judge =
    judges.get(name) ?? createJudge(readFileSync(new URL(`./swagger-${name}.json`, import.meta.url), "utf8"), name);
  judges.set(name, judge);
  return createCheck(judge, version);
}

function createCheck(judge: Judge, version: GiteaVersion): SwaggerCheck {
  const { operations } = judge.described;
  const find = (route: Route): { readonly name: string; readonly operation: DescribedOperation } => {
    const name = `${route.method} ${route.path}`;
    const operation = operations[name];
    if (operation === undefined) throw new Error(`${name} is not described: run the tool that trims the description`);
    return { name, operation };
  };
  return {
    document: documentOf(version),
    request(route, { incoming, params }) {
      const { name, operation } = find(route);
      const problems = [...judge.parameters(operation, { incoming, params }), ...judge.body(operation, incoming)];
      return problems.map((problem) => `request ${name}: ${problem}`);
    },
    answer(route, { status, body }) {
      const { name, operation } = find(route);
      const where = `answer ${name} ${status} `;
      if (status >= 400)
        return body === undefined || Buffer.isBuffer(body) ? [] : judge.value(errorSchema, body, where);
      const schema = statusesToo(operation, version)[String(status)];
      if (schema === undefined) return [`answer ${name}: ${status} is not described`];
      // A list that was never begun is null, and nothing says so.
      if (body === null || body === undefined || Buffer.isBuffer(body)) return [];
      return judge.value(schema, withState(body), where);
    },
  };
}

/** Where nobody has said anything of a commit, 1.25 has an empty word for it that its description does not know. */
function withState(body: object): unknown {
  return "state" in body && body.state === "" ? Object.assign({}, body, { state: "pending" }) : body;
}

/** A reaction is taken away with another status since 1.27, of which 1.26 knew nothing. */
function statusesToo({ answers }: DescribedOperation, version: GiteaVersion): DescribedOperation["answers"] {
  return version.isFrom(26) && !version.isFrom(27) ? { ...answers, "200": answers["200"] ?? null } : answers;
}

const errorSchema = {
  type: "object",
  properties: { message: { type: "string" }, url: { type: "string" }, errors: { type: ["array", "null"] } },
  required: ["message", "url"],
  additionalProperties: false,
} as const;

function documentOf(version: GiteaVersion): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (!isThere(route, version)) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: { operationId: route.name } };
  }
  return {
    swagger: "2.0",
    info: { title: version.isForgejo ? "Forgejo API" : "Gitea API", version: version.text },
    basePath: "/api/v1",
    paths,
  };
}
