import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Account, Permission } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import { openScene, type Scene } from "./scene.ts";
import { having, lacking } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("permissions on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  const told = (account: Account, asker: Account = scene.people.drover): Promise<Permission> =>
    scene.world.clientOf(asker).fetchPermission({ repository: scene.repository, account });

  it("are told to an admin as they are", async () => {
    const { people, world, repository } = scene;
    await world.setPermission({ repository, account: people.drover, permission: "admin" });
    expect(await told(people.mia)).toBe("admin");
    expect(await told(people.rita)).toBe("write");
    expect(await told(people.otto)).toBe("read");
    await world.setPermission({ repository, account: people.otto, permission: "none" });
    expect(await told(people.otto)).toBe("none");
    await world.setPermission({ repository, account: people.rita, permission: "read" });
    expect(await told(people.rita)).toBe("read");
  });

  it("of our own account are told to us", async () => {
    expect(await told(scene.people.drover)).toBe("write");
  });

  it.each(having(entry, "permissions_of_others"))("of others are told to a writer too", async () => {
    const { people } = scene;
    expect([await told(people.mia), await told(people.rita), await told(people.otto)]).toEqual([
      "admin",
      "write",
      "read",
    ]);
  });

  it.each(lacking(entry, "permissions_of_others"))(
    "of others are undetermined for a writer, which is not none",
    async () => {
      const { people } = scene;
      expect([await told(people.mia), await told(people.otto)]).toEqual(["undetermined", "undetermined"]);
    },
  );

  it("of somebody who was never let in are no licence", async () => {
    const { world, people, repository } = scene;
    await world.setPermission({ repository, account: people.drover, permission: "admin" });
    const stranger = await world.addAccount({ login: "stranger", kind: "person" });
    expect(["none", "read"]).toContain(await told(stranger));
  });

  it("of an account that does not exist are no licence, nor an error", async () => {
    const { world, people, repository } = scene;
    await world.setPermission({ repository, account: people.drover, permission: "admin" });
    const ghost: Account = { id: AccountId.parse("4711"), login: "ghost", kind: "person" };
    expect(["none", "undetermined"]).toContain(await told(ghost));
  });

  it("are never those of somebody else who has the login by now", async () => {
    const { world, people, repository } = scene;
    await world.setPermission({ repository, account: people.drover, permission: "admin" });
    const renamed: Account = { ...people.otto, login: people.mia.login };
    expect(["admin", "write"]).not.toContain(await told(renamed));
    const gone: Account = { id: AccountId.parse("4711"), login: people.rita.login, kind: "person" };
    expect(["none", "undetermined"]).toContain(await told(gone));
  });
});
