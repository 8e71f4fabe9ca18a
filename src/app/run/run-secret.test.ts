import { describe, expect, it } from "vitest";
import { runSecret } from "#app/run/run-secret.ts";
import { makeSecret } from "#config/secret.ts";

const message = new TextEncoder().encode("a block");

async function mac(
  token: string,
  more: {
    readonly given?: string;
    readonly isReadOnly?: boolean;
    readonly forge?: "github" | "gitea";
    readonly isJob?: boolean;
  } = {},
): Promise<string> {
  const { given, isReadOnly = false, forge = "github", isJob = false } = more;
  const key = { kind: "token", token: makeSecret(token) } as const;
  return (await runSecret({ given, key, location: { kind: forge }, isReadOnly, isJob })).authenticate(message);
}

describe("what a run marks its notes with", () => {
  it("is the secret that was given, whatever token the job has", async () => {
    const given = "ab".repeat(32);
    expect(await mac("ghs_one", { given })).toBe(await mac("ghs_two", { given }));
    expect(await mac("ghs_one", { given })).not.toBe(await mac("ghs_one", { given: "cd".repeat(32) }));
  });

  it("follows from a token that lasts, so that two runs agree", async () => {
    expect(await mac("ghp_one")).toBe(await mac("ghp_one"));
    expect(await mac("github_pat_one")).not.toBe(await mac("github_pat_two"));
  });

  it.each(["ghs_one", "gho_one", "whatever"])("is missed with the token of a job: %s", async (token) => {
    await expect(mac(token)).rejects.toThrow("DROVER_SECRET is not set");
  });

  it("follows from a token of Gitea, but not in a job: there it may be the job's", async () => {
    const forge = "gitea";
    expect(await mac("abc", { forge })).toBe(await mac("abc", { forge }));
    expect(await mac("abc", { forge })).not.toBe(await mac("abd", { forge }));
    await expect(mac("abc", { forge, isJob: true })).rejects.toThrow("DROVER_SECRET is not set");
  });

  it("is of no matter to a run that only reads, and equal to nobody else's", async () => {
    expect(await mac("ghs_one", { isReadOnly: true })).not.toBe(await mac("ghs_one", { isReadOnly: true }));
  });

  it("is refused where it is too short to be one", async () => {
    await expect(mac("ghs_one", { given: "abc" })).rejects.toThrow("at least 64 hexadecimal digits");
  });

  it("of an App follows from its key", async () => {
    const key = { kind: "app", id: "1", privateKey: makeSecret("pem"), installation: null } as const;
    const options = {
      given: undefined,
      key,
      location: { kind: "github" },
      isReadOnly: false,
      isJob: false,
    } as const;
    const [one, two] = [await runSecret(options), await runSecret(options)];
    expect(one.authenticate(message)).toBe(two.authenticate(message));
  });
});
