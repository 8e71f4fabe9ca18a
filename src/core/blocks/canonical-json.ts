/** Records are a handful of levels deep; anything deeper is not ours, and would only exhaust the stack. */
const depthMax = 24;

/** ASCII that means nothing to Markdown, HTML or a mention filter, so it cannot close its fence. Undefined: no JSON. */
export function canonicalJson(value: unknown, depth = 0): string | undefined {
  if (depth > depthMax) return undefined;
  switch (typeof value) {
    case "string":
      return escaped(value);
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : undefined;
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? arrayJson(value, depth) : objectJson(value, depth);
    default:
      return undefined;
  }
}

function arrayJson(values: readonly unknown[], depth: number): string | undefined {
  const parts = values.map((value) => canonicalJson(value, depth + 1));
  return parts.includes(undefined) ? undefined : `[${parts.join(",")}]`;
}

function objectJson(value: object, depth: number): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...value };
  let written = "";
  for (const key of Object.keys(fields).sort()) {
    const json = canonicalJson(fields[key], depth + 1);
    if (json === undefined) return undefined;
    written += `${written === "" ? "" : ","}${escaped(key)}:${json}`;
  }
  return `{${written}}`;
}

const special = /[^\x20-\x7e]|[@`<>~&"\\]/;

/** Most texts are ids and names, in which there is nothing to escape. */
function escaped(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]|[@`<>~&]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
