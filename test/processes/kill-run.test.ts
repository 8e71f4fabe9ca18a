import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleEntry } from "./bundle-entry.ts";
import { createChance } from "./chance.ts";
import { type ForgeSide, openForgeSide } from "./forge-side.ts";
import { type KillReport, type KillRun, runKills } from "./kill-run.ts";
import { startNode } from "./node-process.ts";

let script = "";
let side: ForgeSide | undefined;

beforeAll(async () => {
  script = await bundleEntry("test/processes/stand-in.ts");
});

afterEach(async () => {
  await side?.close();
  side = undefined;
});

interface StandIn {
  readonly manner: "sound" | "forgetful" | "repeating";
  readonly kinds: KillRun["kinds"];
  readonly kills: number;
}

/** Kills a stand-in for Drover that keeps its promises, or breaks one of them. */
async function killStandIn({ manner, kinds, kills }: StandIn): Promise<KillReport> {
  side = await openForgeSide();
  const { forge, port, env, dataFolder } = side;
  const own = { STAND_IN: manner, PORT: String(port), FORGE_URL: forge.url, DATA: dataFolder };
  return await runKills({
    ...side,
    start: () => startNode({ script, args: [], env: { ...env, ...own } }),
    ready: /ready/,
    chance: createChance(7),
    kills,
    kinds,
    pullsMax: 3,
    spans: {
      bootMsMax: 300,
      readyMsMax: 60_000,
      lifeMsMax: 20_000,
      idleMsMax: manner === "forgetful" ? 500 : 60_000,
      lingerMs: 0,
      deedGapMsMax: 100,
    },
  });
}

describe("killing a server again and again", () => {
  it("finds nothing against one that writes down what it accepts and looks before it writes", async () => {
    const report = await killStandIn({ manner: "sound", kinds: ["boot", "accepted", "write"], kills: 5 });
    expect(report).toMatchObject({ problems: [], failedLives: [] });
    expect(report.accepted).toBeGreaterThan(0);
  });

  it("catches one that forgets what it accepted", async () => {
    const { problems } = await killStandIn({ manner: "forgetful", kinds: ["accepted"], kills: 2 });
    expect(problems.map(({ kind }) => kind)).toContain("lost");
  });

  it("catches one that does not look before it writes", async () => {
    const { problems } = await killStandIn({ manner: "repeating", kinds: ["write"], kills: 2 });
    expect(problems.map(({ kind }) => kind)).toContain("twice");
  });
});
