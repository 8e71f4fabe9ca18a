import { beforeEach, describe, expect, it } from "vitest";
import type { Account } from "#core/model/account.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { SentWebhook } from "#forges/sandbox/remote/webhook-sender.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { stillClock } from "#testing/still-clock.ts";
import { findLost, findTwice, problemWords } from "./forge-oracle.ts";

const clock = stillClock(1_767_258_000_000);

function later(): void {
  clock.pass(minuteMs);
}

let sandbox: Sandbox;
let bot: Account;
let ada: SandboxPerson;
let drover: Forge;
let pull: PullRef;

beforeEach(async () => {
  const forge = await openTestForge({ clock, people: { ada: "owner", drover: { kind: "bot", may: "write" } } });
  sandbox = forge.sandbox;
  bot = forge.accounts.drover;
  ada = forge.people.ada;
  drover = sandbox.clientOf(bot);
  pull = await forge.openPull({ branch: "b", files: { "b.txt": "b\n" } });
});

function answered(status: number): readonly SentWebhook[] {
  return sandbox.deliveries.map((delivery) => ({ delivery, outcome: { kind: "answered", status } }));
}

function lost(sent = answered(202)): string {
  return problemWords(findLost({ sandbox, bot, sent }));
}

function twice(): string {
  return problemWords(findTwice({ sandbox, bot }));
}

function text(kind: string, effect: number): string {
  const mark = effect.toString(16).padStart(32, "0");
  return `<!-- drover:${kind} 0123 -->\n<!-- drover:effect ${mark} -->\nHead ${headOf()}.`;
}

function headOf() {
  return sandbox.look(pull).pull.head.sha;
}

/** What has to be there of a pull that was looked at. */
async function act(): Promise<void> {
  const head = headOf();
  await drover.submitReview({ pull, head, event: "comment", body: text("review general", 1), remarks: [] });
  await drover.createComment({ pull, body: text("managed", 2) });
  await drover.setGate({ pull, head, state: "success", words: "fine" });
}

describe("what the oracle takes for lost", () => {
  it("is everything of a pull of which a webhook was accepted and nothing is to be seen", () => {
    expect(lost()).toMatch(/no gate[^]*no managed comment[^]*no review/);
  });

  it("does not hold a pull that nobody promised to look at", () => {
    expect(lost(answered(503))).toBe("");
    expect(lost(sandbox.deliveries.map((delivery) => ({ delivery, outcome: { kind: "refused" } })))).toBe("");
  });

  it("is empty when everything is there", async () => {
    await act();
    expect(lost()).toBe("");
  });

  it("is a gate that never got beyond pending", async () => {
    await act();
    await drover.setGate({ pull, head: headOf(), state: "pending", words: "still reading" });
    expect(lost()).toContain("still pending: still reading");
  });

  it("is the last head when only an earlier one was seen to", async () => {
    await act();
    await ada.push({ repository: pull.repository, branch: "b", changes: { "b.txt": "c\n" }, message: "Change b" });
    expect(lost()).toMatch(/no gate[^]*does not name[^]*does not speak of/);
  });

  it("does not hold what happened after the last webhook that was accepted", async () => {
    await act();
    const sent = answered(202);
    later();
    await ada.push({ repository: pull.repository, branch: "b", changes: { "b.txt": "c\n" }, message: "Change b" });
    await ada.comment(pull, "@drover status");
    expect(lost(sent)).toBe("");
    // All of it was seen by a look for another reason.
    await drover.setGate({ pull, head: headOf(), state: "pending", words: "still reading" });
    expect(lost(sent)).toBe("");
    expect(lost()).not.toBe("");
  });

  it("is a command without a reaction of the bot", async () => {
    await act();
    const comment = await ada.comment(pull, "@drover status");
    expect(lost()).toContain(`the command ${comment} has no reaction`);
    await drover.addReaction({ pull, comment, content: "+1" });
    expect(lost()).toBe("");
  });

  it("does not hold a pull that is closed", async () => {
    await ada.editPull(pull, { state: "closed" });
    expect(lost()).toBe("");
  });
});

describe("what the oracle takes for said twice", () => {
  it("is empty when each effect is there once", async () => {
    await act();
    expect(twice()).toBe("");
  });

  it("is a comment or a review with the mark of another", async () => {
    await act();
    await drover.submitReview({
      pull,
      head: headOf(),
      event: "comment",
      body: text("review general", 1),
      remarks: [],
    });
    expect(twice()).toContain("was sent 2 times");
  });

  it("is a second review of one head, whatever its mark", async () => {
    await act();
    await drover.submitReview({ pull, head: headOf(), event: "comment", body: text("review general", 3), remarks: [] });
    expect(twice()).toMatch(/^twice: [^\n]*the review of [0-9a-f]+ was sent 2 times$/);
  });

  it("is a second managed comment, whatever its mark", async () => {
    await act();
    await drover.createComment({ pull, body: text("managed", 9) });
    expect(twice()).toContain("the managed comment was sent 2 times");
  });

  it("is also what was blanked again since", async () => {
    await act();
    const comment = await drover.createComment({ pull, body: text("managed", 2) });
    await drover.editComment({ pull, comment, body: "<!-- drover:blanked -->\nSaid already." });
    expect(twice()).toContain("was sent 2 times");
  });

  it("is a finding that was raised in two remarks at one head", async () => {
    const body = `<!-- drover:finding rule%20path ${headOf()} -->\nWhy?`;
    const remarks = [{ path: "b.txt", side: "new", lines: { first: 1, last: 1 }, body }] as const;
    for (const effect of [1, 2]) {
      const review = text("review general", effect);
      await drover.submitReview({ pull, head: headOf(), event: "comment", body: review, remarks });
    }
    expect(twice()).toContain("the finding rule%20path");
  });

  it("does not hold what somebody else copied", async () => {
    await act();
    await ada.comment(pull, text("managed", 2));
    expect(twice()).toBe("");
  });
});
