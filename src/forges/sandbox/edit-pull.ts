import type { Account } from "#core/model/account.ts";
import { type HeadSha, Untrusted } from "#core/model/ids.ts";
import { moveHead } from "#forges/sandbox/detect-pushes.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { PullFace, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { type Happening, sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { findTip, mayWrite, newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

export type PullEdit = Parameters<SandboxPerson["editPull"]>[1];

interface Editing {
  readonly by: Account;
  readonly edit: PullEdit;
}

export async function editPull(world: World, entry: PullEntry, { by, edit }: Editing): Promise<void> {
  const before = newestOf(entry);
  if (before.author.id !== by.id && !mayWrite(entry.repository, by)) throw new EndpointRefusal(403, "not your pull");
  if (before.state === "merged" && edit.state !== undefined)
    throw new EndpointRefusal(422, "a merged pull stays merged");
  const wanted = wantedState(world, entry, { by, edit });
  const fields = Object.keys(wanted);
  if (fields.length === 0) return;
  const isReopened = wanted.state === "open";
  const tip = isReopened ? tipOf(entry, before.head.branch) : before.head.sha;
  const next = { ...wanted, ...consequencesOf(world, entry, { by, wanted }) };
  const faces = { before: faceOf(before), after: faceOf({ ...before, ...next }) };
  recordPullChange(world, entry, { by, what: { kind: "pull_edited", fields, faces }, next, moves: "changedAt" });
  for (const happening of happeningsOf(wanted)) sendWebhooks(world, entry.ref, happening);
  // While it was closed, its branch was not followed.
  if (isReopened && tip !== before.head.sha) await moveHead(world, entry, { by, to: tip });
}

function faceOf({ title, isDraft, base, labels, state }: PullState): PullFace {
  return { title, isDraft, base: base.branch, labels, state };
}

type Wanted = Partial<Pick<PullState, "title" | "body" | "isDraft" | "labels" | "base" | "state">>;

function wantedState(world: World, entry: PullEntry, { edit }: Editing): Wanted {
  const { title, body, isDraft, labels, base, state } = newestOf(entry);
  return {
    ...(edit.title !== undefined && edit.title !== title && { title: Untrusted.parse(edit.title) }),
    ...(edit.body !== undefined && edit.body !== body && { body: Untrusted.parse(edit.body) }),
    ...(edit.isDraft !== undefined && edit.isDraft !== isDraft && { isDraft: edit.isDraft }),
    ...(edit.labels !== undefined && edit.labels.join() !== labels.join() && { labels: edit.labels }),
    ...(edit.base !== undefined &&
      edit.base !== base.branch && {
        base: { branch: edit.base, since: world.now(), tip: tipOf(entry, edit.base) },
      }),
    ...(edit.state !== undefined && edit.state !== state && { state: edit.state }),
  };
}

function consequencesOf(
  world: World,
  entry: PullEntry,
  { by, wanted }: { readonly by: Account; readonly wanted: Wanted },
): Partial<PullState> {
  const { author, createdAt, body, bodyEdits, base } = newestOf(entry);
  const at = world.now();
  const first = { at: createdAt, by: author.id, body };
  const earlier = bodyEdits.length === 0 ? [first] : bodyEdits;
  return {
    ...(wanted.body !== undefined && { bodyEdits: [...earlier, { at, by: by.id, body: wanted.body }] }),
    ...(wanted.base !== undefined && { movedAt: at }),
    ...(wanted.state === "open" && {
      base: wanted.base ?? { ...base, tip: tipOf(entry, base.branch) },
      movedAt: at,
    }),
  };
}

function tipOf({ repository }: PullEntry, branch: string): HeadSha {
  const tip = findTip(repository, branch);
  if (tip === undefined) throw new EndpointRefusal(422, `there is no branch ${branch}`);
  return tip;
}

function happeningsOf({ title, body, base, state, isDraft, labels }: Wanted): readonly Happening[] {
  const happenings: Happening[] = [];
  const isBodyOnly = title === undefined && base === undefined;
  if (!isBodyOnly || body !== undefined) happenings.push({ kind: "edited", isBodyOnly });
  if (state !== undefined) happenings.push({ kind: state === "open" ? "reopened" : "closed" });
  if (isDraft !== undefined) happenings.push({ kind: isDraft ? "drafted" : "undrafted" });
  if (labels !== undefined) happenings.push({ kind: "labelled" });
  return happenings;
}
