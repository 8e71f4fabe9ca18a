import { readImports } from "./read-imports.ts";
import { isTest, nameOf, partOf, type Source, type Violation, violationAt, walk } from "./source.ts";

/** What makes a client that sends texts to a forge, by the file that it is imported from. */
const client = /^#forges\/[\w-]+\/(?:[\w-]+-client|remote\/remote-sandbox)\.ts$/;

/** Hands out none of them unguarded. */
const door = "src/app/forge/open-forge.ts";

/**
 * Clients are opened in one place, which guards each of them: whoever opened one beside it could publish the operator's
 * secrets. Descriptors make them by `openUnmasked`. Types tell nothing, and tests may do it.
 */
export function findUnguardedClients(sources: readonly Source[]): readonly Violation[] {
  const opening = sources.filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/forges/"));
  return opening.flatMap((source) => {
    if (source.path === door || isTest(source.path)) return [];
    const imported = readImports(source).flatMap(({ node, specifier = "" }) => {
      const isClient = client.test(specifier) && node["importKind"] !== "type";
      return isClient ? [violationAt(source, node, `opens ${specifier} beside ${door}, which guards it`)] : [];
    });
    return [...imported, ...unmaskedCalls(source)];
  });
}

/** However it is named there: `descriptor.openUnmasked`, `const { openUnmasked } = descriptor`. */
function unmaskedCalls(source: Source): readonly Violation[] {
  const violations: Violation[] = [];
  walk(source.program, (node) => {
    const name = node.type === "MemberExpression" ? partOf(node, "property") : partOf(node, "key");
    if (nameOf(name) !== "openUnmasked") return;
    violations.push(violationAt(source, node, `opens a client beside ${door}, which guards it`));
  });
  return violations;
}
