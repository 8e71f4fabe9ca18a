import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Account } from "#core/model/account.ts";
import { Capabilities } from "#core/model/capabilities.ts";
import { openScene, type Scene } from "./scene.ts";
import { fetchSeen, only } from "./seen.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("who we are on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("is the account of the token, whoever else has one", async () => {
    const { drover, world, people } = scene;
    const { bot } = await drover.fetchIdentity();
    expect(Account.parse(bot)).toEqual(bot);
    expect([bot.id, bot.login]).toEqual([people.drover.id, people.drover.login]);
    expect((await world.clientOf(people.rita).fetchIdentity()).bot.id).toBe(people.rita.id);
  });

  it("comes with what this forge can do", async () => {
    const { capabilities } = await scene.drover.fetchIdentity();
    expect(Capabilities.parse(capabilities)).toEqual(entry.capabilities);
  });

  it("is the same account that signs what we write and that people are compared with", async () => {
    const { drover, pull, rita, people } = scene;
    await rita.comment(pull, "From rita.");
    await drover.createComment({ pull, body: "From the bot." });
    const { comments } = await scene.seen();
    const authors = new Map(comments.map(({ body, author }) => [String(body), author.id]));
    expect(authors).toEqual(
      new Map([
        ["From rita.", people.rita.id],
        ["From the bot.", people.drover.id],
      ]),
    );
  });

  it("shows the same pull to everybody, each comment with the same id", async () => {
    const { world, people, pull, drover } = scene;
    const id = await drover.createComment({ pull, body: "For all." });
    const others = await fetchSeen(world.clientOf(people.rita), pull);
    expect(only(others.comments).id).toBe(id);
  });
});
