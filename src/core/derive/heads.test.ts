import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveHeads } from "#core/derive/heads.ts";
import type { Observation } from "#core/model/observation.ts";
import { anyObservation } from "#testing/any-observation.ts";
import { aHead, anObservation, aPull, at, patch, sha, someRecords } from "#testing/makers.ts";

function headsOf(pull: Partial<Observation["pull"]>, heads = [aHead()]): ReturnType<typeof deriveHeads> {
  return deriveHeads(anObservation({ pull: aPull(pull), records: someRecords({ heads }) }));
}

const { head } = aPull();

function pushed(pushedAt: Observation["pull"]["head"]["pushedAt"]): ReturnType<typeof deriveHeads> {
  return headsOf({ head: { ...head, sha: sha(2), pushedAt } });
}

describe("the heads of a pull", () => {
  it("are as recorded while nothing has changed", () => {
    expect(headsOf({})).toEqual({ current: aHead(), history: [aHead()], toRecord: null });
  });

  it("have a new one since the time that the forge tells, or since it was first seen", () => {
    expect(pushed(at(30)).current).toMatchObject({ sha: sha(2), since: at(30) });
    expect(pushed(null).current.since).toBe(at(60));
    expect(pushed(at(90)).current.since).toBe(at(60));
  });

  it("have a new one when the pull is pointed at another branch, or the same head comes back", () => {
    expect(headsOf({ base: { branch: "next", since: at(30) } }).toRecord).toMatchObject({
      baseBranch: "next",
      since: at(30),
    });
    expect(headsOf({ base: { branch: "next", since: null } }).toRecord).toMatchObject({ since: at(60) });
    expect(headsOf({ head: { ...head, pushedAt: at(30) } }).toRecord).toMatchObject({ sha: sha(1), since: at(30) });
  });

  it("learn the patch of the current one later", () => {
    const known = { ...head, patch: patch("p") };
    expect(headsOf({ head: known }).toRecord).toEqual(aHead({ patch: patch("p") }));
    expect(headsOf({ head: known }, [aHead({ patch: patch("p") })]).toRecord).toBeNull();
  });

  it("end with what the pull shows, strictly in order of time, and come to rest once recorded", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const { current, history, toRecord } = deriveHeads(seen);
        expect(current).toMatchObject({ sha: seen.pull.head.sha, baseBranch: seen.pull.base.branch });
        expect(history.at(-1)).toBe(current);
        const times = history.map(({ since }) => since);
        expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
        const recorded = toRecord === null ? history : [...history.slice(0, -1), toRecord];
        expect(deriveHeads({ ...seen, records: { ...seen.records, heads: recorded } }).toRecord).toBeNull();
      }),
      { numRuns: 300 },
    );
  });
});
