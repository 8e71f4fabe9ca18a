import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

export interface Cost {
  readonly points: number;
  readonly nodeCount: number;
  /** What GitHub refuses before it runs anything. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly type: string | null;
  readonly message: string;
}

const pageMax = 100;
const nodesMax = 500_000;
const requestsPerPoint = 100;

/**
 * What a query costs by GitHub's documented formula: for each connection the number of requests needed to fulfil it if
 * every connection above it is full, all added up, divided by 100 and rounded; one point at least. Only what has `first`
 * or `last` is fetched as a connection: a `totalCount` alone is a number.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  asked: { readonly operation: OperationDefinitionNode; readonly variables: Readonly<Record<string, unknown>> },
): Cost {
  const { operation } = asked;
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], asked.variables).coerced ?? {};
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const counting: Counting = { schema, fragments, variables: coerced, problems: [], requests: 0, nodes: 0 };
  const root = schema.getRootType(operation.operation);
  if (root !== undefined && root !== null) walk(counting, { set: operation.selectionSet, type: root, times: 1 });
  if (counting.nodes > nodesMax) counting.problems.push(tooManyNodes(counting.nodes));
  const points = Math.max(1, Math.round(counting.requests / requestsPerPoint));
  return { points, nodeCount: counting.nodes, problems: counting.problems };
}

interface Counting {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly problems: Problem[];
  requests: number;
  nodes: number;
}

interface Level {
  readonly set: SelectionSetNode;
  readonly type: GraphQLCompositeType;
  /** How often this level is there, if everything above it is full. */
  readonly times: number;
}

function walk(counting: Counting, { set, type, times }: Level): void {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      walkField(counting, selection, { set, type, times });
      continue;
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : counting.fragments.get(selection.name.value);
    const condition = fragment?.typeCondition?.name.value;
    const inner = condition === undefined ? type : counting.schema.getType(condition);
    if (fragment !== undefined && inner !== undefined && isCompositeType(inner)) {
      walk(counting, { set: fragment.selectionSet, type: inner, times });
    }
  }
}

function walkField(counting: Counting, field: FieldNode, { type, times }: Level): void {
  const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[field.name.value] : undefined;
  if (definition === undefined || field.selectionSet === undefined) return;
  const named = getNamedType(definition.type);
  if (!isCompositeType(named)) return;
  const args = getArgumentValues(definition, field, { ...counting.variables });
  const size = sizeOf(counting, field, { args, isConnection: named.name.endsWith("Connection") });
  if (size !== undefined) {
    counting.requests += times;
    counting.nodes += times * size;
  }
  const ids = args["ids"];
  const inner = times * (size ?? (Array.isArray(ids) ? ids.length : 1));
  if (Array.isArray(ids) && ids.length > pageMax) {
    counting.problems.push({
      type: "ARGUMENT_LIMIT",
      message: `You may not provide more than ${pageMax} node ids; you provided ${ids.length}.`,
    });
  }
  walk(counting, { set: field.selectionSet, type: named, times: inner });
}

/** How many nodes a connection is asked for; undefined for what is none, or only counted. */
function sizeOf(
  { problems }: Counting,
  field: FieldNode,
  { args, isConnection }: { readonly args: Readonly<Record<string, unknown>>; readonly isConnection: boolean },
): number | undefined {
  if (!isConnection) return undefined;
  const name = field.name.value;
  const given = args["first"] ?? args["last"];
  if (typeof given !== "number") {
    const isListed = field.selectionSet?.selections.some(
      (selection) => selection.kind !== Kind.FIELD || ["nodes", "edges"].includes(selection.name.value),
    );
    if (isListed === true) {
      const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
      problems.push({ type: "MISSING_PAGINATION_BOUNDARIES", message });
    }
    return undefined;
  }
  if (given < 1 || given > pageMax) {
    const message = `Requesting ${given} records on the \`${name}\` connection exceeds the \`first\` limit of ${pageMax} records.`;
    problems.push({ type: "EXCESSIVE_PAGINATION", message });
  }
  return given;
}

function tooManyNodes(nodes: number): Problem {
  const message = `This query requests up to ${nodes.toLocaleString("en-US")} possible nodes which exceeds the maximum limit of ${nodesMax.toLocaleString("en-US")}.`;
  return { type: "MAX_NODE_LIMIT_EXCEEDED", message };
}
