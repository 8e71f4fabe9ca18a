import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildASTSchema, type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from "graphql";

let built: GraphQLSchema | undefined;

/** GitHub's whole public schema. Built once in a process: it takes most of a second. */
export function githubSchema(): GraphQLSchema {
  if (built !== undefined) return built;
  // The package's entry would read five megabytes of JSON besides.
  const file = new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  const text = readFileSync(fileURLToPath(file), "utf8");
  built = buildASTSchema(parse(text, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });
  return built;
}

export interface DocumentRead {
  readonly document: DocumentNode;
  /** Where it is no query of GitHub's schema. */
  readonly problems: readonly GraphQLError[];
}

/** A program asks the same few questions over and over; reading one takes longer than answering it. */
const documentsKeptMax = 100;
const documents = new Map<string, DocumentRead>();

/** Throws where it is no GraphQL. */
export function readDocument(query: string): DocumentRead {
  const known = documents.get(query);
  if (known !== undefined) return known;
  const document = parse(query);
  const read = { document, problems: validate(githubSchema(), document) };
  if (documents.size >= documentsKeptMax) documents.clear();
  documents.set(query, read);
  return read;
}
