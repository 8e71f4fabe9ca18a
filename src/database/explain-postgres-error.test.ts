import { describe, expect, it } from "vitest";
import { DatabaseError } from "#database/database-error.ts";
import { explainPostgresError } from "#database/explain-postgres-error.ts";

const url = "postgres://drover:sesame@db.example:5433/flock?sslmode=require";

function anError(code?: string): Error {
  return Object.assign(new Error("no"), code === undefined ? {} : { code });
}

describe("an error of PostgreSQL, for the operator", () => {
  it("says where, what and what to do, and never the password", () => {
    const told = explainPostgresError(url, anError("28P01"));
    expect(told).toMatchInlineSnapshot(
      `[DatabaseError: PostgreSQL at db.example:5433/flock refused: The user or the password is wrong. Correct them in DATABASE_URL.]`,
    );
    expect(JSON.stringify(told)).not.toContain("sesame");
  });

  it.each([
    ["28000", "refused"],
    ["3D000", "refused"],
    ["42501", "refused"],
    ["ECONNREFUSED", "unreachable"],
    ["57P03", "unreachable"],
    [undefined, "unreachable"],
  ])("of the code %s is of the kind %s, and holds its cause", (code, kind) => {
    const cause = anError(code);
    expect(explainPostgresError(url, cause)).toMatchObject({ kind, cause });
  });

  it("speaks of a missing password only where there is none", () => {
    expect(String(explainPostgresError(url, anError()))).not.toContain("password");
    expect(String(explainPostgresError("postgres://db.example/flock", anError()))).toContain("wants a password");
  });

  it("does not need a URL that can be read", () => {
    expect(String(explainPostgresError("db.example", anError("ENOTFOUND")))).toContain(
      "at DATABASE_URL does not answer",
    );
  });

  it("that is another one stays as it is", () => {
    const others = [anError("23505"), new DatabaseError("too_old", "old")];
    expect(others.map((error) => explainPostgresError(url, error))).toEqual(others);
  });
});
