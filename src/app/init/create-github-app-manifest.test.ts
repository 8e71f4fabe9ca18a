import { expect, it } from "vitest";
import { newAppUrl } from "#app/init/create-github-app.ts";

it.each([
  ["https://api.github.com", "https://github.com"],
  ["https://api.acme.ghe.com/", "https://acme.ghe.com"],
  ["https://code.example/api/v3", "https://code.example"],
  // A server of one's own may be called so.
  ["https://api.example/api/v3", "https://api.example"],
])("an App for the API at %s is created at %s", (apiUrl, site) => {
  expect(newAppUrl({ apiUrl, organisation: null, state: "s" })).toBe(`${site}/settings/apps/new?state=s`);
});
