// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, manners } from "#harness/harness.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

const bad = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

describe.each(manners)("two pulls with one head on a %s", (manner) => {
  it("show the worse gate, come to rest, and the better one when the other pull is closed", async () => {
    const harness = await buildHarness({ manner });
    const ada = harness.as(harness.ada);
    const { repository } = harness;
    // Against `next` there is nothing to find, because it has that commit already; against `main` there is.
    const from = await harness.as(harness.mia).push({ repository, branch: "next", changes: bad, message: "Next" });
    await ada.push({ repository, branch: "work", changes: { "NEWS.md": "New.\n" }, message: "News", from });
    const blocked = await ada.openPull({ repository, branch: "work", base: "main", title: "News", body: "" });
    await harness.pass(2 * minuteMs);
    const clean = await ada.openPull({ repository, branch: "work", base: "next", title: "The same", body: "" });
    await harness.pass(3 * minuteMs);
    const head = harness.headOf(blocked);
    expect(harness.headOf(clean)).toBe(head);
    const gates = harness.look(blocked).gates.filter((gate) => gate.head === head);
    expect(gates.at(-1)?.state).toBe("failure");
    await harness.pass(10 * minuteMs);
    expect(harness.look(blocked).gates.filter((gate) => gate.head === head)).toHaveLength(gates.length);
    await ada.editPull(blocked, { state: "closed" });
    await harness.pass(3 * minuteMs);
    expect(harness.look(clean).gates.findLast((gate) => gate.head === head)?.state).toBe("success");
  });

  it("show the better gate when the other pull was closed and no webhook told of it", async () => {
    const crank = { isWatched: () => true, reactionMsMax: () => minuteMs };
    const harness = await buildHarness({ manner, network: () => undefined, crank });
    await createReconciler(harness.dependencies).watch("acme/tools");
    const ada = harness.as(harness.ada);
    const { repository } = harness;
    const from = await harness.as(harness.mia).push({ repository, branch: "next", changes: bad, message: "Next" });
    await ada.push({ repository, branch: "work", changes: { "NEWS.md": "New.\n" }, message: "News", from });
    const blocked = await ada.openPull({ repository, branch: "work", base: "main", title: "News", body: "" });
    const clean = await ada.openPull({ repository, branch: "work", base: "next", title: "The same", body: "" });
    await harness.pass(10 * minuteMs);
    const head = harness.headOf(blocked);
    expect(harness.look(clean).gates.findLast((gate) => gate.head === head)?.state).toBe("failure");
    await ada.editPull(blocked, { state: "closed" });
    await harness.pass(10 * minuteMs);
    expect(harness.look(clean).gates.findLast((gate) => gate.head === head)?.state).toBe("success");
  });
});
