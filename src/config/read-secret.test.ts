import { describe, expect, it } from "vitest";
import { readSecret } from "#config/read-secret.ts";

const places = {
  env: { TOKEN: "t0ken", EMPTY: "" },
  readFile: async (path: string): Promise<string> => {
    if (path === "/run/token") return "t0ken\n";
    if (path === "/run/empty") return "\n";
    throw new Error("ENOENT");
  },
};

describe("a secret", () => {
  it.each([{ env: "TOKEN" }, { file: "/run/token" }])("is read from %j, and does not show itself", async (source) => {
    const read = await readSecret(source, places);
    if (read.kind !== "read") throw new Error(read.why);
    expect(read.secret.reveal()).toBe("t0ken");
    expect(`${String(read.secret)} ${JSON.stringify(read)}`).not.toContain("t0ken");
  });

  it.each([
    [{ env: "MISSING" }, "the environment variable MISSING is not set"],
    [{ env: "EMPTY" }, "the environment variable EMPTY is not set"],
    [{ file: "/run/empty" }, "the file /run/empty is empty"],
    [{ file: "/run/none" }, "the file /run/none cannot be read: ENOENT"],
  ])("that is not in %j is missed by name", async (source, why) => {
    expect(await readSecret(source, places)).toEqual({ kind: "missing", why });
  });
});
