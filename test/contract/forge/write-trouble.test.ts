import { describe, expect, it } from "vitest";
import { after, type Instant } from "#core/model/instant.ts";
import { ForgeError } from "#ports/forge.ts";
import { everyWrite, type ReadyWrite, type Write } from "./every-write.ts";
import { openScene } from "./scene.ts";
import { type Request, type Spoilt, spoil, type Trouble, troublesOn } from "./trouble.ts";
import { having, type WorldEntry } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("a write that goes wrong on $name", (entry) => {
  for (const write of everyWrite.filter(({ need }) => need === null || having(entry, need).length > 0)) {
    // The same for all troubles: it is found out once.
    let counted: Promise<number> | undefined;
    it.each(having(entry, "meddling"))(`${write.method}: is sent once where nothing goes wrong`, async () => {
      const { spoilt, count } = await sendSpoilt(entry, write, { fault: { kind: "lost_response" }, index: 1_000 });
      expect({ outcome: spoilt.outcome, count }).toEqual({ outcome: { kind: "answered" }, count: 1 });
      const sent = writesAmong(spoilt.requests);
      expect(sent.length).toBeGreaterThan(0);
      expect(new Set(sent).size).toBe(sent.length);
    });

    for (const trouble of troublesOn(entry)) {
      it.each(having(entry, "meddling"))(`${write.method}: tells the truth about ${trouble.name}`, async () => {
        counted ??= countRequests(entry, write);
        const requests = await counted;
        expect(requests).toBeGreaterThan(0);
        for (let index = 0; index < requests; index++) {
          const sent = await sendSpoilt(entry, write, { fault: trouble.fault, index });
          expect({ request: sent.spoilt.hit, lies: liesOf(sent, trouble) }).toEqual({
            request: sent.spoilt.hit,
            lies: [],
          });
        }
      });
    }
  }
});

interface Sent {
  readonly spoilt: Spoilt;
  readonly count: number;
  readonly isHalf: boolean;
  readonly sentAt: Instant;
}

async function countRequests(entry: WorldEntry, write: Write): Promise<number> {
  const { spoilt } = await sendSpoilt(entry, write, { fault: { kind: "lost_response" }, index: 1_000 });
  return spoilt.requests.length;
}

/** Sends one write in a world of its own, with one of its requests spoilt, and counts what came of it. */
async function sendSpoilt(
  entry: WorldEntry,
  { prepare }: Write,
  how: { readonly fault: Trouble["fault"]; readonly index: number },
): Promise<Sent> {
  const scene = await openScene(entry);
  const { world, people, pull } = scene;
  const ready: ReadyWrite = await prepare(scene);
  const sentAt = world.now();
  const spoilt = await spoil({ world, by: people.drover, ...how }, ready.send);
  const truth = await world.look(pull);
  await world.close();
  return { spoilt, count: ready.count(truth), isHalf: ready.isHalf?.(truth) ?? false, sentAt };
}

/** Everything that a client got wrong about a request that failed; nothing, if it is honest. */
function liesOf({ spoilt, count, isHalf, sentAt }: Sent, trouble: Trouble): readonly string[] {
  const { outcome, requests, hit } = spoilt;
  if (hit === undefined) return ["took another way than without trouble"];
  const sent = writesAmong(requests);
  const lies = [
    sent.length === new Set(sent).size ? null : `sent something twice: ${sent.join(", ")}`,
    count > 1 ? `the effect is there ${count} times` : null,
  ];
  if (outcome.kind === "answered") return found([...lies, "answered as if nothing had happened"]);
  if (!(outcome.error instanceof ForgeError)) return found([...lies, `no ForgeError: ${String(outcome.error)}`]);
  const { kind, isApplied, retryAt } = outcome.error;
  const isSettled = hit.isWrite && sent.length === 1 && !(isHalf && trouble.hasHappened);
  const retryExpected = trouble.retryAfterMs === null ? null : after(sentAt, trouble.retryAfterMs);
  return found([
    ...lies,
    kind === trouble.kind ? null : `${kind} instead of ${trouble.kind}`,
    retryAt === retryExpected ? null : `may be asked again at ${retryAt} instead of ${retryExpected}`,
    hit.isWrite && isApplied !== trouble.isApplied ? `applied: ${isApplied}, not ${trouble.isApplied}` : null,
    isApplied === "no" && count > 0 ? "says that it did not happen, and it did" : null,
    // Where a method takes one writing request alone, its effect is there exactly if that one was carried out.
    isSettled && count !== Number(trouble.hasHappened) ? `the effect is there ${count} times` : null,
    isHalf && isApplied === "no" ? "says that it did not happen, and half of it did" : null,
  ]);
}

function found(lies: readonly (string | null)[]): readonly string[] {
  return lies.filter((lie) => lie !== null);
}

function writesAmong(requests: readonly Request[]): readonly string[] {
  return requests.filter(({ isWrite }) => isWrite).map(({ endpoint }) => endpoint);
}
