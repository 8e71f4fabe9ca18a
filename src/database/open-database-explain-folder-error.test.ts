import { describe, expect, it } from "vitest";
import { DatabaseError } from "#database/database-error.ts";
import { explainFolderError } from "#database/open-database.ts";

function anError(code: string): Error {
  return Object.assign(new Error("no"), { code });
}

describe("an error of the folder, for the operator", () => {
  it.each([
    ["ENOSPC", "disk_full", "The disk of /data is full. Make room and start again."],
    ["53100", "disk_full", "Make room"],
    ["EACCES", "not_writable", "Drover cannot write to /data (EACCES)."],
    ["EROFS", "not_writable", "with --data"],
  ])("of the code %s is of the kind %s", (code, kind, words) => {
    const cause = anError(code);
    expect(explainFolderError("/data", cause)).toMatchObject({ kind, cause, message: expect.stringContaining(words) });
  });

  it("that is another one stays as it is", () => {
    const others = [anError("23505"), new DatabaseError("in_use", "taken")];
    expect(others.map((error) => explainFolderError("/data", error))).toEqual(others);
  });
});
