import { describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { answersByName, type HeardRequest, type ScriptedAnswer } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const pull = { repository: { id: RepositoryId.parse("7"), name: "mia/tools" }, number: 12 };
const api = "/api/v1/repos/mia/tools";
function connect(answers: Readonly<Record<string, ScriptedAnswer>>) {
  const { fetch, heard } = answersByName(answers);
  const clock = stillClock(0);
  return { forge: createGiteaClient({ url: "https://git.test", token: "t", clock, fetch }), heard };
}

function bodyOf(heard: readonly HeardRequest[], name: string): unknown {
  return heard.find(({ method, path }) => `${method} ${path}` === name)?.body;
}

describe("labels on Gitea", () => {
  it("are those of the repository, then those of its organisation, then new ones", async () => {
    const { forge, heard } = connect({
      [`GET ${api}/issues/12/labels`]: [{ id: 1, name: "there" }],
      [`GET ${api}/labels`]: [{ id: 2, name: "own" }],
      "GET /api/v1/orgs/mia/labels": [
        { id: 3, name: "shared" },
        { id: 4, name: "own" },
      ],
      [`POST ${api}/labels`]: [201, { id: 5, name: "new" }],
      [`POST ${api}/issues/12/labels`]: [],
    });
    await forge.editLabels({ pull, add: ["there", "own", "shared", "new"], remove: ["gone"] });
    expect(bodyOf(heard, `POST ${api}/issues/12/labels`)).toEqual({ labels: [2, 3, 5] });
  });

  it("that are all there, or all gone, need no write", async () => {
    const { forge, heard } = connect({ [`GET ${api}/issues/12/labels`]: [{ id: 1, name: "there" }] });
    await forge.editLabels({ pull, add: ["there"], remove: ["gone"] });
    expect(heard).toHaveLength(1);
  });
});
