import {
  type DocumentNode,
  execute,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from "graphql";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { Allowance } from "#github-like/allowance.ts";
import { type Cost, costOf } from "#github-like/graphql/cost.ts";
import { TypedError } from "#github-like/graphql/graphql-error.ts";
import { mutationView } from "#github-like/graphql/mutation-view.ts";
import { queryView } from "#github-like/graphql/query-view.ts";
import { githubSchema, readDocument } from "#github-like/graphql/schema.ts";
import { NotServed, resolveFrom } from "#github-like/graphql/view.ts";
import type { Sight } from "#github-like/sight.ts";

export interface GraphqlAsked {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly cost: Cost;
}

export type GraphqlRead =
  | { readonly kind: "asked"; readonly asked: GraphqlAsked }
  /** Not a query of this schema: the answer says so. */
  | { readonly kind: "wrong"; readonly errors: readonly object[] };

/** Reads and validates a request, before anything is done for it. */
export function readGraphql(body: unknown): GraphqlRead {
  const { query, variables, operationName } = fieldsOf(body);
  if (typeof query !== "string") return wrong("A query attribute must be specified and must be a string.");
  try {
    const schema = githubSchema();
    const { document, problems } = readDocument(query);
    if (problems.length > 0) return { kind: "wrong", errors: problems.map((problem) => problem.toJSON()) };
    const operation = getOperationAST(document, typeof operationName === "string" ? operationName : undefined);
    if (operation === null || operation === undefined) return wrong("No operation was found to execute.");
    const given = fieldsOf(variables);
    const cost = costOf(schema, document, { operation, variables: given });
    const [problem] = cost.problems;
    if (problem !== undefined) return { kind: "wrong", errors: [{ ...problem, path: [] }] };
    return { kind: "asked", asked: { document, operation, variables: given, cost } };
  } catch (error) {
    if (error instanceof GraphQLError) return { kind: "wrong", errors: [error.toJSON()] };
    throw error;
  }
}

function wrong(message: string): GraphqlRead {
  return { kind: "wrong", errors: [{ message }] };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Runs it. What fails is null in the data, with an error beside it. */
export async function executeGraphql(
  sight: Sight,
  { document, operation, variables, cost }: GraphqlAsked,
  { allowance, complain }: { readonly allowance: Allowance; readonly complain: (what: string) => void },
): Promise<object> {
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const result = await execute({
    schema: githubSchema(),
    document,
    rootValue: isMutation ? mutationView(sight) : queryView(sight, { cost, allowance }),
    variableValues: variables,
    operationName: operation.name?.value ?? null,
    fieldResolver: resolveFrom(complain),
  });
  if (result.errors === undefined) return { data: result.data };
  return { data: result.data ?? null, errors: result.errors.map((error) => errorBody(error, complain)) };
}

function errorBody(error: GraphQLError, complain: (what: string) => void): object {
  const { message, path, locations, originalError } = error;
  const type = typeOf(originalError);
  // Only what GitHub would refuse has a type; the rest is a mistake of this server or of the query.
  if (type === null && !(originalError instanceof NotServed)) complain(`graphql: ${message}`);
  return { ...(type !== null && { type }), path, locations, message };
}

function typeOf(error: Error | undefined): string | null {
  if (error instanceof TypedError) return error.type;
  if (!(error instanceof EndpointRefusal)) return null;
  if (error.status === 404) return "NOT_FOUND";
  return error.status === 403 ? "FORBIDDEN" : "UNPROCESSABLE";
}
