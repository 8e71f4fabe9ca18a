import { codeOf } from "#core/error-code.ts";
import { errorText } from "#core/error-text.ts";
import { DatabaseError } from "#database/database-error.ts";

const refusals: ReadonlyMap<string | undefined, string> = new Map([
  ["28P01", "The user or the password is wrong. Correct them in DATABASE_URL."],
  ["28000", "The server does not admit this user from here. Correct DATABASE_URL, or the server's pg_hba.conf."],
  ["3D000", "There is no such database. Make it with createdb, or correct the name in DATABASE_URL."],
  ["42501", "The user may not make tables there. Grant it CREATE on the schema public."],
  ["3F000", "The user has no schema to make tables in. Grant it USAGE and CREATE on the schema public."],
]);

/** Of the system, and of a server that starts, stops or has no connection left. */
const absences: ReadonlySet<string | undefined> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "53300",
  "57P01",
  "57P03",
]);

/** Tells only the host: the URL holds a password. */
export function explainPostgresError(url: string, error: unknown): unknown {
  if (error instanceof DatabaseError) return error;
  const code = codeOf(error);
  const refusal = refusals.get(code);
  if (refusal !== undefined) {
    return new DatabaseError("refused", `PostgreSQL at ${placeOf(url)} refused: ${refusal}`, { cause: error });
  }
  // The driver's own errors, such as that of a limit on the time to connect, have no code.
  if (code !== undefined && !absences.has(code)) return error;
  const why = code ?? errorText(error);
  const advice = adviceFor(url, code);
  return new DatabaseError("unreachable", `PostgreSQL at ${placeOf(url)} does not answer (${why}). ${advice}`, {
    cause: error,
  });
}

function placeOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : "DATABASE_URL";
}

function adviceFor(url: string, code: string | undefined): string {
  const advice = "See that it runs and that DATABASE_URL names the right host and port.";
  const lacksPassword = code === undefined && URL.canParse(url) && new URL(url).password === "";
  return lacksPassword ? `${advice} If it wants a password: there is none in DATABASE_URL.` : advice;
}
