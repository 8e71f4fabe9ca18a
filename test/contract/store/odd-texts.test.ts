import { describe, expect, it } from "vitest";
import { type DesiredGate, type ObligationChange, obligationKeyOf, type Store } from "#ports/store.ts";
import { aFinding, at, sha, someRecords } from "#testing/makers.ts";
import { frozen, pullNamed, someContent, someObligation } from "./world.ts";
import { useStores, worlds } from "./worlds.ts";

const hugeChars = 2_000_000;
/** More than an index of PostgreSQL takes, and of no pattern that it could shorten. */
const longKey = Array.from({ length: 1500 }, (_, index) => ((index * 7919) % 46_656).toString(36)).join("");

/** What others can write and a database may stumble over. */
const oddTexts = frozen({
  "an empty text": "",
  "U+0000": "before\u0000after",
  "the escape of U+0000": "before\\u0000after",
  "half a character, its first part": "before\ud83dafter",
  "half a character, its last part": "before\ude00after",
  "halves in the wrong order": "\ude00\ud83d",
  "the sign for what could not be read": "before\ufffdafter",
  "a byte order mark": "\ufeffbefore",
  "quotation marks": `'before' "after" \`and\` $$more$$ $1 E'\\''`,
  backslashes: "\\before\\\\after\\",
  "control characters": "\u0001\b\f\v\u001b\u007f\u0085\u2028\u2029",
  "line ends": "\r\nbefore\n\rafter\t",
  "an emoji of several parts": "👩‍👩‍👧‍👦 and 🏳️‍🌈",
  "what looks like JSON": '{"kind":"done"}',
  "what looks like nothing": "null",
  "what reads as SQL": "'; drop table pull; --",
  "a name of JavaScript's own": "__proto__",
});

/** Different keys that a careless database takes for one. */
const keysAlike: readonly string[] = frozen([
  ...new Set([
    ...Object.values(oddTexts),
    "before",
    "Before",
    "before ",
    "before%",
    "befor_",
    "caf\u00e9",
    "cafe\u0301",
    "ß",
    "ss",
    longKey,
    `${longKey}a`,
    `${longKey}b`,
  ]),
]);

describe.each(worlds)("texts of others, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  describe.each(Object.entries(oddTexts))("such as %s", (name, text) => {
    it("come back with what is known of a pull", async () => {
      const pull = pullNamed(`odd ${name}`);
      const content = frozen({
        ...someContent(1),
        records: someRecords({
          escalations: [text],
          findings: [aFinding("f1", { message: `message ${text}`, snippet: text, suggestion: text })],
        }),
        sight: { changedAt: null, remarks: [text], missingSince: null },
      });
      expect(await store.savePull({ pull, content, expectedVersion: 0 })).toBe("saved");
      expect(await other.findPull(pull)).toEqual({ ...content, version: 1 });
      await store.saveDigests(new Map([[pull, text]]));
      expect(await other.findDigests([pull])).toEqual(new Map([[pull, text]]));
    });

    it("come back with an obligation", async () => {
      const pull = pullNamed(`odd ${name}`);
      const made = someObligation(pull, {
        effect: `answer/${text}`,
        kind: text,
        lane: text,
        why: { askedBy: text, rule: text, inputs: [text] },
        note: { kind: "escalated", key: `key ${text}`, severity: "info", text },
      });
      const lease = { token: `token ${text}`, until: at(5) };
      const held = { key: made.key, token: lease.token };
      expect(await store.ensureObligation(made)).toMatchObject(made);
      expect(await store.leaseObligation({ key: made.key, lease, now: at(0) })).toMatchObject({ ...made, lease });
      const change: ObligationChange = frozen({
        text,
        note: { kind: "escalated", key: `changed ${text}`, severity: "info", text },
        state: { kind: "done", result: text, at: at(2), isNoted: false },
        attempts: 1,
      });
      expect(await other.changeObligation({ ...held, change })).toBe("changed");
      expect(await other.changeObligation({ ...held, token: `${lease.token}!`, change })).toBe("lost");
      expect(await store.findObligation(made.key)).toEqual({ ...made, lease, ...change });
      expect(await store.findOpenObligations(pull)).toEqual([{ ...made, lease, ...change }]);
    });

    it("come back with a wish for the gate", async () => {
      const wish: DesiredGate = { repository: `odd/${text}`, head: sha(1), state: "failure", words: text };
      const pull = pullNamed(`odd ${name}`);
      await store.saveDesiredGate(pull, wish);
      expect(await other.findDesiredGates({ repository: `odd/${text}`, head: sha(1) })).toEqual([{ ...wish, pull }]);
    });

    it("come back as what a step answered", async () => {
      const step = { job: `odd ${name}`, step: "ask" };
      expect(await store.saveStep(step, { [text]: [text] })).toEqual({ [text]: [text] });
      expect(await other.findStep(step)).toEqual({ [text]: [text] });
    });
  });

  it("may be as long as a file", async () => {
    const pull = pullNamed("huge");
    const huge = `${"Zeile für Zeile 🙂\n".repeat(hugeChars / 20)}\u0000'\ud83d`;
    const { key } = await store.ensureObligation(someObligation(pull));
    await store.leaseObligation({ key, lease: { token: "t1", until: at(5) }, now: at(0) });
    await store.changeObligation({ key, token: "t1", change: { text: huge } });
    // Compared by hand: a difference in them would be printed for minutes.
    expect((await other.findObligation(key))?.text === huge).toBe(true);
    const step = { job: "huge", step: "ask" };
    expect((await store.saveStep(step, huge)) === huge).toBe(true);
    expect((await other.findStep(step)) === huge).toBe(true);
  });

  it("are told apart as keys", async () => {
    const pull = pullNamed("keys");
    for (const text of keysAlike) {
      await store.ensureObligation(someObligation(pull, { effect: text }));
      await store.saveStep({ job: `keys ${text}`, step: text }, text);
      await store.extendPause({ instance: `keys ${text}`, until: at(keysAlike.indexOf(text) + 1) });
    }
    for (const text of keysAlike) {
      expect(await other.findObligation(obligationKeyOf(pull, text))).toMatchObject({ effect: text });
      expect(await other.findStep({ job: `keys ${text}`, step: text })).toBe(text);
      expect(await other.findPause({ instance: `keys ${text}`, now: at(0) })).toBe(at(keysAlike.indexOf(text) + 1));
    }
    const listed = await other.listObligations(pull);
    expect(listed.map(({ effect }) => effect)).toEqual(keysAlike);
  });
});
