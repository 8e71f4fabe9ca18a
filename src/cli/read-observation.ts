import { errorText } from "#core/error-text.ts";
import { Observation } from "#core/model/observation.ts";

export type ReadObservation =
  | { readonly kind: "read"; readonly observation: Observation }
  /** Each problem names the field. */
  | { readonly kind: "unreadable"; readonly problems: readonly string[] };

const problemsMax = 10;

/** A saved observation, checked field by field. */
export function readObservation(text: string): ReadObservation {
  const json = parseJson(text);
  if (json.kind === "unreadable") return json;
  const parsed = Observation.safeParse(json.value);
  if (parsed.success) return { kind: "read", observation: parsed.data };
  const problems = parsed.error.issues.map((issue) => `${fieldName(issue.path)}: ${issueWords(issue)}`);
  const rest = problems.length > problemsMax ? [`and ${problems.length - problemsMax} more`] : [];
  return { kind: "unreadable", problems: [...problems.slice(0, problemsMax), ...rest] };
}

function parseJson(
  text: string,
): { kind: "json"; value: unknown } | { kind: "unreadable"; problems: readonly string[] } {
  try {
    return { kind: "json", value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { kind: "unreadable", problems: [`not JSON: ${errorText(error)}`] };
  }
}

/** `comments[3].author.id`; the whole file where the problem is not in a field. */
function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return name === "" ? "the file" : name.replace(/^\./, "");
}

function issueWords(issue: {
  readonly code: string;
  readonly message: string;
  readonly keys?: readonly string[];
}): string {
  if (issue.code === "unrecognized_keys")
    return `unknown field ${(issue.keys ?? []).map((key) => `"${key}"`).join(", ")}`;
  if (issue.message.endsWith("received undefined")) return "is missing";
  return issue.message.replace(/^Invalid input: /, "");
}
