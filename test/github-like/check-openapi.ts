import { readFileSync } from "node:fs";
import { createJudge, type DescribedOperation } from "#forge-like/check-described.ts";
import type { Incoming } from "#forge-like/incoming.ts";
import type { Asked, Route, Said } from "#github-like/rest/route.ts";

/** Judges requests and answers by GitHub's own description of its API. */
export interface OpenapiCheck {
  request(route: Route, asked: { readonly incoming: Incoming; readonly params: Asked["params"] }): readonly string[];
  answer(route: Route, said: Said): readonly string[];
  /** Whether the errors of a 422 are plain words here, or objects as in most places. */
  hasPlainErrors(route: Route): boolean;
}

let made: OpenapiCheck | undefined;

/** One for the whole process. */
export function openapiCheck(): OpenapiCheck {
  made ??= createCheck(readFileSync(new URL("./openapi.json", import.meta.url), "utf8"));
  return made;
}

/** There, and nowhere described; it answers like its sibling. */
const undescribed: ReadonlyMap<string, string> = new Map([
  ["GET /repositories/{repository_id}", "GET /repos/{owner}/{repo}"],
]);

function createCheck(text: string): OpenapiCheck {
  const judge = createJudge(text, "github");
  const { operations, $defs } = judge.described;
  const find = (route: Route): { readonly name: string; readonly operation: DescribedOperation } => {
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
        ...(isTwin ? [] : judge.parameters(operation, { incoming, params })),
        ...judge.body(operation, incoming),
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
      return isJson ? judge.value(wanted, body, `answer ${name} ${status} `) : [];
    },
  };
}
