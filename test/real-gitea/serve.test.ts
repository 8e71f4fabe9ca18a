import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, inject, test } from "vitest";
import type { ForgePerson, ForgeTruth, ForgeWorld } from "#contract/forge/world.ts";
import type { Account } from "#core/model/account.ts";
import { freePort } from "#harness/free-port.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { bundleEntry } from "#processes/bundle-entry.ts";
import { layOutData } from "#processes/lay-out-data.ts";
import { type NodeProcess, startNode } from "#processes/node-process.ts";
import { removeFolder } from "#processes/remove-folder.ts";
import { serveIsReady } from "#processes/serve-command.ts";
import { until } from "#processes/until.ts";
import { openRealWorld } from "./real-world.ts";

const version = inject("giteaVersion") ?? "";
const secret = "hook-secret";
const readyMsMax = 120_000;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Place {
  readonly world: ForgeWorld;
  readonly url: string;
  readonly token: string;
  readonly repository: RepositoryRef;
  readonly drover: Account;
  readonly ada: ForgePerson;
  readonly rita: ForgePerson;
  /** Lets Gitea itself deliver what happens in this repository. */
  hook(url: string): Promise<void>;
}

async function openPlace(): Promise<Place> {
  const { world, told, people } = await openRealWorld(version);
  ends.push(async () => await world.close());
  const [mia, ada, rita, drover] = [
    await world.addAccount({ login: "mia", kind: "person" }),
    await world.addAccount({ login: "ada", kind: "person" }),
    await world.addAccount({ login: "rita", kind: "person" }),
    await world.addAccount({ login: "drover", kind: "bot" }),
  ];
  const repository = await world.createRepository({ name: "mia/tools", by: mia, files: { "README.md": "# Tools\n" } });
  for (const account of [ada, rita]) await world.setPermission({ repository, account, permission: "write" });
  await world.setPermission({ repository, account: drover, permission: "admin" });
  return {
    world,
    url: told.url,
    token: people.personOf(drover).token,
    repository,
    drover,
    ada: world.as(ada),
    rita: world.as(rita),
    hook: async (url) => {
      const config = { url, content_type: "json", secret };
      const events = ["push", "pull_request", "pull_request_sync", "pull_request_review", "pull_request_comment"];
      const asked = { type: "gitea", active: true, config, events };
      await people.personOf(mia).api.send("POST", `/repos/${repository.name}/hooks`, asked);
    },
  };
}

async function serve(place: Place, port: number, more: object): Promise<NodeProcess> {
  const folder = await mkdtemp(join(tmpdir(), "drover-serve-gitea-"));
  ends.push(async () => await removeFolder(folder));
  const forge = { name: "gitea", kind: "gitea", url: place.url, token: { env: "GITEA_TOKEN" }, writeGapMs: 0, ...more };
  const rules = { merge: { when: "when_approved", requireCI: false }, approval: { pollMs: 3_600_000 } };
  await writeFile(join(folder, "config.yml"), JSON.stringify({ forges: [forge], rules }));
  await layOutData(join(folder, "data"));
  const node = startNode({
    script: await bundleEntry("src/cli/drover.ts"),
    args: ["serve", "--port", String(port), "--data", join(folder, "data"), "--config", join(folder, "config.yml")],
    env: { HOOK_SECRET: secret, GITEA_TOKEN: place.token },
  });
  ends.push(async () => await node.kill());
  await node.waitFor(serveIsReady, readyMsMax);
  return node;
}

async function openPull({ ada, repository }: Place): Promise<PullRef> {
  const changes = { "src/quiet.ts": "export const quiet = 1;\n" };
  await ada.push({ repository, branch: "quiet", changes, message: "Add" });
  return await ada.openPull({ repository, branch: "quiet", base: "main", title: "Quiet", body: "Please." });
}

function truthOf({ world }: Place, pull: PullRef): (isSo: (truth: ForgeTruth) => boolean) => () => Promise<boolean> {
  return (isSo) => async () => isSo(await world.look(pull));
}

describe(`drover serve on a real Gitea ${version}`, () => {
  test("what Gitea delivers becomes a review and a gate, and an approval the merge of that head", async () => {
    const place = await openPlace();
    const port = await freePort();
    const node = await serve(place, port, { webhookSecrets: [{ env: "HOOK_SECRET" }], repositories: [] });
    await place.hook(`http://127.0.0.1:${port}/webhooks/gitea`);
    const pull = await openPull(place);
    const truth = truthOf(place, pull);
    await until(
      truth(({ gates }) => gates.at(-1)?.state === "success"),
      node.output,
    );
    await until(
      truth(({ reviews }) => reviews.some(({ state }) => state === "approved")),
      node.output,
    );
    const { head } = (await place.world.look(pull)).pull;
    await place.rita.review(pull, { event: "approve", body: "Good." });
    await until(
      truth(({ merged }) => merged !== null),
      node.output,
    );
    expect((await place.world.look(pull)).merged).toMatchObject({ by: { id: place.drover.id }, head: head.sha });
  });

  test("with no webhook at all, the same pull is found and handled by polling", async () => {
    const place = await openPlace();
    const pull = await openPull(place);
    const node = await serve(place, 0, { repositories: [place.repository.name] });
    const truth = truthOf(place, pull);
    await until(
      truth(({ gates }) => gates.at(-1)?.state === "success"),
      node.output,
    );
    const { head } = (await place.world.look(pull)).pull;
    await place.rita.review(pull, { event: "approve", body: "Good." });
    await until(
      truth(({ merged }) => merged !== null),
      node.output,
    );
    expect((await place.world.look(pull)).merged).toMatchObject({ by: { id: place.drover.id }, head: head.sha });
  });
});
