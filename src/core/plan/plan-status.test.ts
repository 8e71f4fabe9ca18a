import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatusRecord } from "#core/model/records.ts";
import { nextStatus } from "#core/plan/plan-status.ts";

const anyStatus = fc.constantFrom(...StatusRecord.shape.status.options);

describe("transition", () => {
  it("tells the first status as a change from nothing", () => {
    expect(nextStatus(null, "pending")).toEqual({
      event: { from: null, to: "pending" },
      next: { status: "pending", count: 1 },
    });
  });

  it("is silent while the status is the same", () => {
    expect(nextStatus({ status: "approved", count: 4 }, "approved")).toBeNull();
  });

  it("counts on when a status comes back", () => {
    const next = nextStatus({ status: "in_progress", count: 4 }, "approved")?.next;
    expect(next).toEqual({ status: "approved", count: 5 });
  });

  it("makes exactly one event for each change, each with a count of its own", () => {
    fc.assert(
      fc.property(fc.array(anyStatus, { maxLength: 30 }), (statuses) => {
        let record: StatusRecord | null = null;
        const heard: string[] = [];
        const counts = new Set<number>();
        for (const status of statuses) {
          const changed = nextStatus(record, status);
          if (changed === null) continue;
          expect(changed.event.from).toBe(record?.status ?? null);
          heard.push(changed.event.to);
          counts.add(changed.next.count);
          record = changed.next;
        }
        expect(heard).toEqual(statuses.filter((status, index) => status !== statuses[index - 1]));
        expect(counts.size).toBe(heard.length);
      }),
    );
  });
});
