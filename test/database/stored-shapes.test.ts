import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { z } from "zod";
import {
  AbandonJobData,
  LandingJob,
  PollJob,
  ReviewJobData,
  SessionJobData,
  TalkJobData,
  TickJob,
} from "#core/model/job.ts";
import { migrations } from "#database/migrate.ts";
import { batchShapes } from "#jobs/batch-submissions.ts";
import { ChosenBatch } from "#jobs/choose-review-offer.ts";
import { PassOutcome } from "#jobs/pass-outcome.ts";
import { SessionWork } from "#jobs/work-session.ts";
import { ObligationRow } from "#store/sql-obligations.ts";
import { StoredDesiredGate, StoredPullContent } from "#store/sql-store.ts";

const rows = { PullContent: StoredPullContent, ObligationRow, GateWish: StoredDesiredGate };
const entries = { TickJob, PollJob, LandingJob, ReviewJobData, AbandonJobData, SessionJobData, TalkJobData };
const steps = { LookOutcome: PassOutcome, ChosenBatch, SessionWork, ...batchShapes };
const stored = { ...rows, ...entries, ...steps };

/** The shapes that go with the last migration. */
const known = { migration: "0012-kinds-and-terms", digest: "4606963623163688" };

function digestOf(shapes: Readonly<Record<string, z.ZodType>>): string {
  const told = Object.entries(shapes).map(([name, shape]) => [
    name,
    z.toJSONSchema(shape, { unrepresentable: "any", io: "input" }),
  ]);
  return createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16);
}

/**
 * A version that meets words of a later one leaves them to it, if it knows that there is a later one. It knows by the
 * migrations. So whoever changes one of these shapes adds a migration, which may have no statements, and then says here
 * what goes with it.
 */
it("what is kept changes its shape only together with a migration", () => {
  expect({ migration: migrations.at(-1)?.name, digest: digestOf(stored) }).toEqual(known);
});

it("another key, another word and another limit are another shape", () => {
  const shape = z.strictObject({ word: z.enum(["one", "two"]), count: z.number().max(3) });
  const others = [
    shape.extend({ more: z.string().optional() }),
    shape.extend({ word: z.enum(["one", "two", "three"]) }),
    shape.extend({ count: z.number().max(4) }),
  ];
  const digests = [shape, ...others].map((each) => digestOf({ each }));
  expect(new Set(digests).size).toBe(digests.length);
});
