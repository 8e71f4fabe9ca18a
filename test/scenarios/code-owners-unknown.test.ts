// @module-tag crash

import { describe, expect, it } from "vitest";
import { codeOwnersBytesMax } from "#core/approval/code-owners.ts";
import { Untrusted } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { managedComments } from "#harness/sights.ts";
import { type FileRead, type Git, GitError, type GitErrorKind, type Mirror } from "#ports/git.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const rules = {
  merge: { when: "when_approved", requireCI: false },
  approval: { requiresCodeOwners: true },
} as const;

/** Mia owns what is below `src/zone`; rita may write, and owns nothing. */
async function ownedHarness(options: HarnessOptions, file = "/src/zone/ @mia\n"): Promise<Harness> {
  const harness = await buildHarness({ rules, ...options });
  await harness.as(harness.mia).push({
    repository: harness.repository,
    branch: "main",
    changes: { "docs/CODEOWNERS": file },
    message: "Owners",
  });
  return harness;
}

const ownedFile = { "src/zone/secret.ts": "export const open = false;\n" };

type Files = Readonly<Record<string, string>>;

async function reviewed(harness: Harness, files: Files): Promise<PullRef> {
  const pull = await harness.open({ files });
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

async function approve(harness: Harness, pull: PullRef): Promise<void> {
  await harness.as(harness.rita).review(pull, { event: "approve", body: "Fine." });
  await harness.pass(5 * minuteMs);
}

async function approvedByAnother(harness: Harness, files: Files = ownedFile): Promise<PullRef> {
  const pull = await reviewed(harness, files);
  await approve(harness, pull);
  return pull;
}

function said(harness: Harness, pull: PullRef): string {
  return managedComments(harness, pull)[0]?.body ?? "";
}

/** Git as the worker has it, with another mirror. */
function spoiled(git: Git, spoil: (mirror: Mirror) => Partial<Mirror>): Git {
  const withTrouble = (mirror: Mirror): Mirror => ({ ...mirror, ...spoil(mirror) });
  return {
    ...git,
    ensureMirror: async (request) => withTrouble(await git.ensureMirror(request)),
    findMirror: async (key) => {
      const mirror = await git.findMirror(key);
      return mirror === undefined ? undefined : withTrouble(mirror);
    },
  };
}

/** What the file of code owners is read as. */
function readAs(read: FileRead): (git: Git) => Git {
  return (git) =>
    spoiled(git, (mirror) => ({
      readFile: async (request) => (request.path === "docs/CODEOWNERS" ? read : await mirror.readFile(request)),
    }));
}

describe.each(manners)("where code owners are required on a %s", (manner) => {
  it("the owner's own approval merges, and nobody else's", async () => {
    const harness = await ownedHarness({ manner });
    const pull = await approvedByAnother(harness);
    expect(harness.look(pull).merged).toBeNull();
    await harness.as(harness.mia).review(pull, { event: "approve", body: "Mine." });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).not.toBeNull();
  });

  const troubles: readonly GitErrorKind[] = ["unavailable", "timeout", "failed", "over_limit"];
  it.each(troubles)(
    "a look in which git fails with %s merges nothing that an owner has not seen, and says why",
    async (kind) => {
      let isBroken = false;
      const broken = (git: Git): Git =>
        spoiled(git, (mirror) => ({
          fetchRefs: async (request) => {
            if (isBroken) throw new GitError(kind, "no");
            return await mirror.fetchRefs(request);
          },
        }));
      const harness = await ownedHarness({ manner, git: broken });
      // The head is read, and its review published, while git still works.
      const pull = await reviewed(harness, ownedFile);
      isBroken = true;
      await approve(harness, pull);
      expect(harness.look(pull).merged).toBeNull();
      expect(said(harness, pull)).toContain("code owners are not known");
      isBroken = false;
      await harness.as(harness.mia).review(pull, { event: "approve", body: "Mine." });
      await harness.pass(5 * minuteMs);
      expect(harness.look(pull).merged).not.toBeNull();
    },
  );

  it("a head that git does not have is not owned by nobody", async () => {
    const harness = await ownedHarness({ manner });
    const pull = await reviewed(harness, ownedFile);
    harness.dismissAll();
    harness.hire({ git: spoiled(harness.dependencies.git, () => ({ findTree: async () => undefined })) });
    await approve(harness, pull);
    expect(harness.look(pull).merged).toBeNull();
    expect(said(harness, pull)).toContain("code owners are not known");
  });

  const unreadable: readonly (readonly [string, FileRead])[] = [
    ["is too large", { kind: "too_large", bytes: codeOwnersBytesMax + 1 }],
    ["is a link", { kind: "link", target: Untrusted.parse("OWNERS") }],
    ["is no text", { kind: "file", bytes: new Uint8Array([0xff, 0xfe, 0x2a, 0x00]), isExecutable: false }],
  ];
  it.each(unreadable)("a CODEOWNERS that %s is not taken for none", async (_, read) => {
    const harness = await ownedHarness({ manner, git: readAs(read) });
    const pull = await approvedByAnother(harness);
    expect(harness.look(pull).merged).toBeNull();
    expect(said(harness, pull)).toContain("code owners are not known");
  });

  it("a repository without the file merges as ever", async () => {
    const harness = await buildHarness({ manner, rules });
    expect(harness.look(await approvedByAnother(harness)).merged).not.toBeNull();
  });
});

it("an owned file behind more changed files than are listed is not merged without its owner", async () => {
  let isLarge = false;
  const many = Array.from({ length: limits.changedPathsMax }, (_, index) => modeChange(`a/${index}.sh`)).join("");
  const large = (git: Git): Git =>
    spoiled(git, (mirror) => ({
      diff: async (request) => {
        const read = await mirror.diff(request);
        if (!isLarge || read.kind !== "diff") return read;
        return { ...read, bytes: Buffer.concat([Buffer.from(many), read.bytes]) };
      },
    }));
  const harness = await ownedHarness({ git: large });
  const pull = await reviewed(harness, ownedFile);
  isLarge = true;
  await approve(harness, pull);
  expect(harness.look(pull).merged).toBeNull();
  expect(said(harness, pull)).toContain("too many changed files");
});

function modeChange(path: string): string {
  return `diff --git a/${path} b/${path}\nold mode 100644\nnew mode 100755\n`;
}
