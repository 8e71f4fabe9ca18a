import { describe, expect, it } from "vitest";
import { AccountId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import type { Forge } from "#ports/forge.ts";
import { someRepository as repository } from "#testing/makers.ts";
import { type HeardRequest, jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const rita = { id: AccountId.parse("5"), login: "rita", kind: "person" } as const;
const clock = stillClock(0);

/** What a server answers by path, below `/api/v1`; "not found" to everything else. */
type Answers = Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>;

function connect(answers: Answers): { readonly forge: Forge; readonly heard: readonly HeardRequest[] } {
  const { fetch, heard } = scriptedFetch(({ url }) => {
    const { status = 200, body } = answers[new URL(url).pathname.replace("/api/v1", "")] ?? notThere;
    return jsonAnswer(body, { status });
  });
  return { forge: createGiteaClient({ url: "https://git.test", token: "t", clock, fetch }), heard };
}

const notThere = { status: 404, body: { message: "not found" } };
const notYours = { status: 403, body: { message: "Must be a team member" } };
const person = { id: 5, login: "rita" };

function told(permission: string, id = 5): Answers {
  return { "/repos/acme/tools/collaborators/rita/permission": { body: { permission, user: { id, login: "rita" } } } };
}

function teams(...units: readonly Readonly<Record<string, string>>[]): Answers {
  const body = units.map((units_map, index) => ({ id: index + 1, name: "a team", permission: "none", units_map }));
  return { "/repos/acme/tools/teams": { body } };
}

/** A team that we may look into. */
function open(id: number): Answers {
  return { [`/teams/${id}`]: { body: { id } } };
}

const ask = ({ forge }: ReturnType<typeof connect>) => forge.fetchPermission({ repository, account: rita });

describe("what somebody may do who is in a team of an organisation", () => {
  it.each(["read", "none"])(
    "is to write where a team of theirs writes code, though they are told as %s",
    async (word) => {
      const member = { "/teams/2/members/rita": { body: person }, ...open(1), ...open(2) };
      const server = connect({
        ...told(word),
        ...teams({ "repo.code": "write" }, { "repo.code": "write" }),
        ...member,
      });
      expect(await ask(server)).toBe("write");
    },
  );

  it("is what was told where they are in none of the teams that write", async () => {
    const server = connect({
      ...told("read"),
      ...teams({ "repo.code": "write" }, { "repo.code": "read" }),
      ...open(1),
      "/teams/2/members/rita": { body: person },
    });
    expect(await ask(server)).toBe("read");
  });

  it.each([
    ["of another part of the repository", { "repo.wiki": "write", "repo.issues": "write" }],
    ["to read", { "repo.code": "read", "repo.pulls": "write" }],
  ])("is not to write by a right %s", async (_, units) => {
    const server = connect({ ...told("none"), ...teams(units), ...open(1), "/teams/1/members/rita": { body: person } });
    expect(await ask(server)).toBe("none");
  });

  it.each([
    ["nothing is told of the team", {}],
    ["members are told to members alone", { "/teams/1": notYours }],
  ])("is undetermined where %s", async (_, answers: Answers) => {
    expect(await ask(connect({ ...told("read"), ...teams({ "repo.code": "write" }), ...answers }))).toBe(
      "undetermined",
    );
  });

  it("is not that of somebody else who has the login by now", async () => {
    const server = connect({
      ...told("read"),
      ...teams({ "repo.code": "write" }),
      ...open(1),
      "/teams/1/members/rita": { body: { id: 6, login: "rita" } },
    });
    expect(await ask(server)).toBe("read");
  });

  it("is not asked for where it is to write already, nor where no organisation owns the repository", async () => {
    const writer = connect(told("write"));
    expect(await ask(writer)).toBe("write");
    expect(writer.heard).toHaveLength(1);
    const noTeams = { status: 405, body: { message: "repo is not owned by an organization" } };
    const reader = connect({ ...told("read"), "/repos/acme/tools/teams": noTeams });
    expect(await ask(reader)).toBe("read");
    expect(reader.heard).toHaveLength(2);
  });

  it("costs one call more where it is not to be known, however often that is asked", async () => {
    const server = connect({ ...told("read"), ...teams({ "repo.code": "write" }, { "repo.code": "write" }) });
    await ask(server);
    const before = server.heard.length;
    expect(await ask(server)).toBe("undetermined");
    expect(server.heard.length - before).toBe(1);
  });

  it("is an error where the teams cannot be asked for, and no licence", async () => {
    const broken = { status: 500, body: { message: "" } };
    await expect(ask(connect({ ...told("read"), "/repos/acme/tools/teams": broken }))).rejects.toMatchObject({
      kind: "unavailable",
    });
  });
});
