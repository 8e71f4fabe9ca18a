import { expect, it } from "vitest";
import { protocolsOf } from "#app/forge/open-forge.ts";
import { restrictGit } from "#app/forge/restricted-git.ts";
import { HeadSha } from "#core/model/ids.ts";
import type { Remote } from "#ports/git.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

const secure: Remote = { url: "https://git.example/a/b.git", credential: null };
const plain: Remote = { url: "http://git.example/a/b.git", credential: null };
const folder: Remote = { url: "/srv/a/b.git", credential: null };

function openGit() {
  const hub = createMemoryHub();
  for (const { url } of [secure, plain, folder]) hub.createRemote(url);
  return createMemoryGit(hub);
}

it("git for a forge uses the protocol of the forge's own address alone", async () => {
  const shared = openGit();
  const gitea = restrictGit(shared, protocolsOf({ kind: "gitea", url: "https://git.example" }));
  const inside = restrictGit(shared, protocolsOf({ kind: "gitea", url: "http://git.example" }));
  const sandbox = restrictGit(shared, protocolsOf({ kind: "sandbox", url: "http://127.0.0.1:4180" }));
  await gitea.ensureMirror({ key: "one", remote: secure });
  await inside.ensureMirror({ key: "two", remote: plain });
  await sandbox.ensureMirror({ key: "three", remote: folder });
  await expect(gitea.ensureMirror({ key: "one", remote: plain })).rejects.toThrow("allowed protocols: https");
  await expect(gitea.ensureMirror({ key: "one", remote: folder })).rejects.toThrow("allowed protocols: https");
  await expect(inside.ensureMirror({ key: "two", remote: folder })).rejects.toThrow("allowed protocols: http");
  await expect(sandbox.ensureMirror({ key: "three", remote: secure })).rejects.toThrow("allowed protocols: file");
});

it("every mirror of a forge is restricted to the forge's protocol, however it was obtained", async () => {
  const gitea = restrictGit(openGit(), ["https"]);
  await gitea.ensureMirror({ key: "one", remote: secure });
  const mirror = await gitea.findMirror("one");
  if (mirror === undefined) throw new Error("there is no mirror");
  expect(await mirror.fetchRefs({ remote: secure, refs: ["refs/heads/main"] })).toEqual([
    { ref: "refs/heads/main", commit: null },
  ]);
  await expect(mirror.fetchRefs({ remote: folder, refs: ["refs/heads/main"] })).rejects.toThrow("allowed protocols");
  const push = {
    ref: "refs/heads/x",
    commit: HeadSha.parse("1".repeat(40)),
    expected: null,
    manner: "rewrite",
  } as const;
  await expect(mirror.push({ ...push, remote: plain })).rejects.toThrow("allowed protocols");
  expect(await gitea.findMirror("two")).toBeUndefined();
});
