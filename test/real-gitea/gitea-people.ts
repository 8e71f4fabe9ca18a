import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { Account } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import { type GiteaApi, GiteaRefusal, giteaApi } from "./gitea-api.ts";
import type { GiteaTold } from "./gitea-told.ts";

/** Somebody with an account on the server, and everything that they can prove it with. */
export interface GiteaPerson {
  readonly account: Account;
  readonly password: string;
  readonly token: string;
  readonly api: GiteaApi;
}

export interface GiteaPeople {
  readonly admin: GiteaApi;
  /** There is one of each name on a server: worlds share them, and each has repositories of its own. */
  add(login: string): Promise<GiteaPerson>;
  personOf(account: Account): GiteaPerson;
}

const User = z.object({ id: z.number(), login: z.string() });
const Token = z.object({ sha1: z.string() });

export function giteaPeople(told: GiteaTold): GiteaPeople {
  const { url } = told;
  const admin = giteaApi({ url, authorization: `token ${told.adminToken}` });
  const known = new Map<string, Promise<GiteaPerson>>();
  const there = new Map<string, GiteaPerson>();
  const settle = async (login: string): Promise<GiteaPerson> => {
    const password = `of-${login}`;
    const { id } = await ensureUser(admin, { login, password });
    const basic = giteaApi({ url, authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}` });
    const name = `tests-${randomBytes(6).toString("hex")}`;
    const { sha1 } = Token.parse(await basic.send("POST", `/users/${login}/tokens`, { name, scopes: ["all"] }));
    const person: GiteaPerson = {
      // Gitea does not tell people from bots.
      account: { id: AccountId.parse(String(id)), login, kind: "person" },
      password,
      token: sha1,
      api: giteaApi({ url, authorization: `token ${sha1}` }),
    };
    there.set(person.account.id, person);
    return person;
  };
  return {
    admin,
    add: async (login) => {
      const person = known.get(login) ?? settle(login);
      known.set(login, person);
      return await person;
    },
    personOf: ({ id, login }) => {
      const person = there.get(id);
      if (person === undefined) throw new Error(`${login} has no account here`);
      return person;
    },
  };
}

async function ensureUser(
  admin: GiteaApi,
  { login, password }: { readonly login: string; readonly password: string },
): Promise<z.infer<typeof User>> {
  try {
    return User.parse(await admin.get(`/users/${login}`));
  } catch (error) {
    if (!(error instanceof GiteaRefusal) || error.status !== 404) throw error;
  }
  const asked = { username: login, email: `${login}@example.invalid`, password, must_change_password: false };
  return await admin.send("POST", "/admin/users", asked).then(
    (made) => User.parse(made),
    // Another process of the same run was quicker.
    async () => User.parse(await admin.get(`/users/${login}`)),
  );
}
