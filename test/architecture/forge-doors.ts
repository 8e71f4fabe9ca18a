import { readImports } from "./read-imports.ts";
import { isTest, type Source, type Violation, violationAt } from "./source.ts";

/** What makes a client that sends texts to a forge, by the file that it is imported from. */
const clients: ReadonlySet<string> = new Set([
  "#forges/github/github-client.ts",
  "#forges/gitea/gitea-client.ts",
  "#forges/sandbox/remote/remote-sandbox.ts",
]);

/** Hands out none of them unguarded. */
const door = "src/app/forge/open-forge.ts";

/**
 * Clients are opened in one place, which guards each of them: whoever opened one beside it could publish the operator's
 * secrets. Types tell nothing, and tests may do it.
 */
export function findUnguardedClients(sources: readonly Source[]): readonly Violation[] {
  const opening = sources.filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/forges/"));
  return opening.flatMap((source) => {
    if (source.path === door || isTest(source.path)) return [];
    return readImports(source).flatMap(({ node, specifier = "" }) => {
      const isClient = clients.has(specifier) && node["importKind"] !== "type";
      return isClient ? [violationAt(source, node, `opens ${specifier} beside ${door}, which guards it`)] : [];
    });
  });
}
