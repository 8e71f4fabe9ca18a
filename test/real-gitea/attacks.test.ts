import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { createSystemClock } from "#app/system-clock.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { giteaCommand } from "./gitea-builds.ts";
import { type GiteaPeople, type GiteaPerson, giteaPeople } from "./gitea-people.ts";
import { findServer } from "./gitea-told.ts";

const version = inject("giteaVersion") ?? "";

beforeEach(({ skip }) => {
  skip(inject("giteaDoors")[version] === undefined, `Gitea ${version} is not built here: ${giteaCommand}`);
});

interface Ground {
  readonly people: GiteaPeople;
  readonly mia: GiteaPerson;
  readonly clientOf: (person: GiteaPerson) => Forge;
}

async function openGround(): Promise<Ground> {
  const told = await findServer(version);
  const people = giteaPeople(told);
  const clientOf = ({ token }: GiteaPerson) => createGiteaClient({ url: told.url, token, clock: createSystemClock() });
  return { people, mia: await people.add("mia"), clientOf };
}

const Made = z.object({ id: z.number() });

/** An organisation of mia's with one repository, and a team for each of these rights. */
async function openOrganisation({ mia }: Ground, isPrivate: boolean): Promise<string> {
  const name = `org-${randomBytes(5).toString("hex")}`;
  await mia.api.send("POST", "/orgs", { username: name });
  await mia.api.send("POST", `/orgs/${name}/repos`, { name: "tools", auto_init: true, private: isPrivate });
  return name;
}

async function openTeam(
  { mia }: Ground,
  { organisation, member, units }: { organisation: string; member: string; units: Readonly<Record<string, string>> },
): Promise<void> {
  const rights = { permission: "write", units_map: units, includes_all_repositories: true };
  const team = await mia.api.send("POST", `/orgs/${organisation}/teams`, { name: `team-${member}`, ...rights });
  await mia.api.send("PUT", `/teams/${Made.parse(team).id}/members/${member}`);
}

function base64(words: string): string {
  return Buffer.from(words).toString("base64");
}

/** One pull of mia's that changes the second line of a file. */
async function openPull({ mia, clientOf }: Ground): Promise<PullRef> {
  const name = `attack-${randomBytes(5).toString("hex")}`;
  await mia.api.send("POST", "/user/repos", { name, auto_init: true, default_branch: "main" });
  const file = `/repos/mia/${name}/contents/a.txt`;
  const made = await mia.api.send("POST", file, { content: base64("one\ntwo\nthree\n"), branch: "main" });
  const { sha } = z.object({ content: z.object({ sha: z.string() }) }).parse(made).content;
  await mia.api.send("PUT", file, { content: base64("one\nTWO\nthree\n"), sha, branch: "main", new_branch: "change" });
  const opened = { title: "A change", base: "main", head: "change" };
  const pull = await mia.api.send("POST", `/repos/mia/${name}/pulls`, opened);
  const repository: RepositoryRef = await clientOf(mia).fetchRepository(`mia/${name}`);
  return { repository, number: z.object({ number: z.number() }).parse(pull).number };
}

describe(`what a real Gitea ${version} does not say`, () => {
  test.each([true, false])("who writes as a member of a team is a writer, private: %s", async (isPrivate) => {
    const ground = await openGround();
    const [rita, otto, wilma] = [
      await ground.people.add("rita"),
      await ground.people.add("otto"),
      await ground.people.add("wilma"),
    ];
    const organisation = await openOrganisation(ground, isPrivate);
    const write = { "repo.code": "write", "repo.pulls": "write", "repo.issues": "write" };
    await openTeam(ground, { organisation, member: "rita", units: write });
    await openTeam(ground, { organisation, member: "otto", units: { "repo.code": "read", "repo.pulls": "read" } });
    await openTeam(ground, { organisation, member: "wilma", units: { "repo.wiki": "write" } });
    const forge = ground.clientOf(ground.mia);
    const repository = await forge.fetchRepository(`${organisation}/tools`);
    const told = ({ account }: GiteaPerson) => forge.fetchPermission({ repository, account });
    expect(await told(rita)).toBe("write");
    expect(["read", "none"]).toContain(await told(otto));
    expect(["read", "none"]).toContain(await told(wilma));
    expect(await told(ground.mia)).toBe("admin");
  });

  test("who may not look into a team that writes cannot say who is in it", async () => {
    const ground = await openGround();
    const [rita, drover] = [await ground.people.add("rita"), await ground.people.add("drover")];
    const organisation = await openOrganisation(ground, false);
    await openTeam(ground, { organisation, member: "rita", units: { "repo.code": "write" } });
    const collaborator = `/repos/${organisation}/tools/collaborators/drover`;
    await ground.mia.api.send("PUT", collaborator, { permission: "admin" });
    const forge = ground.clientOf(drover);
    const repository = await forge.fetchRepository(`${organisation}/tools`);
    expect(await forge.fetchPermission({ repository, account: rita.account })).toBe("undetermined");
  });

  test("remarks that somebody keeps to themselves hide nothing that is said after them", async () => {
    const ground = await openGround();
    const [otto, rita] = [await ground.people.add("otto"), await ground.people.add("rita")];
    const pull = await openPull(ground);
    const at = `/repos/${pull.repository.name}`;
    const remark = { path: "a.txt", new_position: 2, body: "Not said yet." };
    const comments = Array.from({ length: 70 }, () => remark);
    await otto.api.send("POST", `${at}/pulls/${pull.number}/reviews`, { event: "PENDING", body: "Later.", comments });
    await rita.api.send("POST", `${at}/issues/${pull.number}/comments`, { body: "Hold this." });
    const forge = ground.clientOf(ground.mia);
    const { head } = (await forge.fetchPull(pull)).pull;
    const submitted = { pull, head: head.sha, event: "comment", body: "One.", remarks: [] } as const;
    const review = await ground.clientOf(rita).submitReview(submitted);
    await ground.clientOf(rita).editReview({ pull, review, body: "Two." });
    const seen = await forge.fetchPull(pull);
    expect(seen.comments.map(({ body }) => body)).toEqual(["Hold this."]);
    expect(seen.reviews.map(({ body, state }) => [body, state])).toEqual([["Two.", "commented"]]);
    expect(seen.limitsReached).toEqual([]);
  }, 120_000);

  test("a repository that was renamed is written to under its old name, and another one of that name is not", async () => {
    const ground = await openGround();
    const { mia } = ground;
    const pull = await openPull(ground);
    const name = pull.repository.name.slice("mia/".length);
    await mia.api.send("PATCH", `/repos/mia/${name}`, { name: `${name}-2` });
    const forge = ground.clientOf(mia);
    const comment = await forge.createComment({ pull, body: "One." });
    await forge.editComment({ pull, comment, body: "Two." });
    expect((await forge.fetchPull(pull)).comments.map(({ body }) => body)).toEqual(["Two."]);
    await mia.api.send("POST", "/user/repos", { name, auto_init: true });
    await expect(forge.fetchPull(pull)).rejects.toMatchObject({ kind: "not_found" });
    await expect(forge.fetchRemote(pull.repository, "read")).rejects.toMatchObject({ kind: "not_found" });
  });

  test("of two threads on one line each has the reply that it was given", async () => {
    const ground = await openGround();
    const rita = await ground.people.add("rita");
    const pull = await openPull(ground);
    const forge = ground.clientOf(rita);
    const { head } = (await forge.fetchPull(pull)).pull;
    const place = { path: "a.txt", side: "new", lines: { first: 2, last: 2 } } as const;
    const remarks = [
      { ...place, body: "First." },
      { ...place, body: "Second." },
    ];
    await forge.submitReview({ pull, head: head.sha, event: "comment", body: "Two things.", remarks });
    for (const { id, comments } of (await forge.fetchPull(pull)).threads) {
      await forge.replyInThread({ pull, thread: id, body: `To: ${comments[0]?.body}` });
    }
    const { threads } = await forge.fetchPull(pull);
    const words = threads.map(({ comments }) => comments.map(({ body }) => body).join(" "));
    expect(words.toSorted()).toEqual(["First. To: First.", "Second. To: Second."]);
  });
});
