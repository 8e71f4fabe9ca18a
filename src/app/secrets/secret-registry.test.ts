import { expect, test } from "vitest";
import { registerEnvironmentSecrets } from "#app/secrets/environment-secrets.ts";
import { createSecretRegistry } from "#app/secrets/secret-registry.ts";

function keeper(): ReturnType<typeof createSecretRegistry> & { readonly warned: readonly unknown[] } {
  const warned: unknown[] = [];
  return { ...createSecretRegistry({ warn: (facts, message) => warned.push({ ...facts, message }) }), warned };
}

test("what is learnt later is masked as well, and what was known before stays so", () => {
  const secrets = keeper();
  expect(secrets.mask("old-k3y-9Qx2 new-k3y-7Lm4")).toBe("old-k3y-9Qx2 new-k3y-7Lm4");
  secrets.register({ name: "KEY", value: "old-k3y-9Qx2" });
  expect(secrets.mask("old-k3y-9Qx2 new-k3y-7Lm4")).toBe("‹secret› new-k3y-7Lm4");
  secrets.register({ name: "KEY", value: "new-k3y-7Lm4" });
  expect(secrets.mask("old-k3y-9Qx2, new-k3y-7Lm4")).toBe("‹secret›, ‹secret›");
});

test("a secret that cannot be kept back is told of once, by its name and without its value", () => {
  const secrets = keeper();
  for (let times = 0; times < 2; times++) secrets.register({ name: "DB_PASSWORD", value: "password" });
  expect(secrets.warned).toHaveLength(1);
  expect(secrets.warned[0]).toMatchObject({ secret: "DB_PASSWORD", why: expect.stringContaining("a word") });
  expect(JSON.stringify(secrets.warned).replace("DB_PASSWORD", "")).not.toContain("password");
  expect(secrets.mask("the password")).toBe("the password");
});

test("the passwords of the database and of proxies are secrets, and their hosts are not", () => {
  const secrets = keeper();
  registerEnvironmentSecrets(secrets, {
    DATABASE_URL: "postgres://drover:pg-9Qx2Lm7@db.example/drover",
    HTTPS_PROXY: "http://me:px-4Rk8Wv2@proxy.example:3128",
    http_proxy: "proxy.example:3128",
    HOME: "/home/drover-9Qx2Lm7",
  });
  expect(secrets.mask("pg-9Qx2Lm7 px-4Rk8Wv2 db.example proxy.example /home/drover-9Qx2Lm7")).toBe(
    "‹secret› ‹secret› db.example proxy.example /home/drover-9Qx2Lm7",
  );
  expect(secrets.warned).toEqual([]);
});
