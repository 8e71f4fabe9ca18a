import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { addFact, type World } from "./world.ts";

/** What the forge's own history says, as facts. What people meant by it, they note themselves. */
export function takeFacts(world: World, change: SandboxChange): void {
  const { what, by } = change;
  if (what.kind === "reported") {
    // A status is on a commit; every pull that has it as its head sees it.
    for (const { number } of world.pulls) {
      addFact(world, { kind: "checked", pull: number, head: what.commit, state: what.state });
    }
    return;
  }
  if (change.pull === null) return;
  const pull = change.pull.number;
  switch (what.kind) {
    case "opened":
      addFact(world, { kind: "head", pull, head: what.head, base: what.base });
      addFact(world, { kind: "draft", pull, isDraft: world.sandbox.look(change.pull).pull.isDraft });
      return;
    case "head_changed":
      addFact(world, { kind: "head", pull, head: what.to, base: baseOf(world, change) });
      return;
    case "pull_edited":
      takeEdit(world, change, what.fields);
      return;
    case "merged":
      addFact(world, { kind: "state", pull, state: "merged" });
      return;
    case "reacted":
    case "unreacted": {
      if (what.comment !== null) return;
      const isThere = what.kind === "reacted";
      if (what.content === "eyes") addFact(world, { kind: "eyed", pull, by: by.id, isThere });
      if (what.content !== "+1") return;
      addFact(world, { kind: isThere ? "signed" : "unsigned", pull, by: by.id, sign: "thumb", id: "" });
      return;
    }
    case "reviewed":
      if (what.event !== "comment") {
        const sign = what.event === "approve" ? "approval" : "objection";
        addFact(world, { kind: "signed", pull, by: by.id, sign, id: what.review });
      }
      return;
    case "review_dismissed":
      takeDismissal(world, pull, what.review);
      return;
    default:
  }
}

function baseOf(world: World, change: SandboxChange): string {
  return change.pull === null ? "main" : world.sandbox.look(change.pull).pull.base.branch;
}

function takeEdit(world: World, change: SandboxChange, fields: readonly string[]): void {
  if (change.pull === null) return;
  const { number } = change.pull;
  const { pull } = world.sandbox.look(change.pull);
  if (fields.includes("base"))
    addFact(world, { kind: "head", pull: number, head: pull.head.sha, base: pull.base.branch });
  if (fields.includes("isDraft")) addFact(world, { kind: "draft", pull: number, isDraft: pull.isDraft });
  if (fields.includes("state")) addFact(world, { kind: "state", pull: number, state: pull.state });
}

/** Whoever dismisses it, it is its author's sign that is gone. */
function takeDismissal(world: World, pull: number, review: string): void {
  for (const fact of world.facts) {
    if (fact.kind !== "signed" || fact.pull !== pull || fact.id !== review) continue;
    addFact(world, { kind: "unsigned", pull, by: fact.by, sign: fact.sign, id: fact.id });
    return;
  }
}
