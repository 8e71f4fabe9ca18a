import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { createChance } from "./chance.ts";
import { problemWords } from "./forge-oracle.ts";
import { openForgeSide } from "./forge-side.ts";
import { type KillReport, type KillRun, runKills } from "./kill-run.ts";
import { layOutData } from "./lay-out-data.ts";
import { startNode } from "./node-process.ts";
import { serveCommand, serveIsReady } from "./serve-command.ts";

export interface ServeKills {
  /** `drover`, as it is or with a plant in it. */
  readonly script: string;
  /** Null: the embedded engine. */
  readonly databaseUrl: string | null;
  readonly manner: SandboxManner;
  readonly kills: number;
  readonly kinds?: KillRun["kinds"];
  readonly ending?: KillRun["manner"];
  readonly seed: number;
  /** Told now and then how far it is, and at the end what it met: many kills take hours. */
  readonly onProgress?: (line: string) => void;
}

const progressKills = 10;

/** Kills `drover serve` again and again while people work on a forge of its own, and judges it from there. */
export async function killServe(asked: ServeKills): Promise<KillReport> {
  const { script, databaseUrl, manner, kills, seed } = asked;
  const side = await openForgeSide({ manner });
  try {
    if (databaseUrl === null) await layOutData(side.dataFolder);
    const report = await runKills({
      ...side,
      start: () => startNode(serveCommand({ script, side, port: side.port, databaseUrl })),
      ready: serveIsReady,
      chance: createChance(seed),
      kills,
      manner: asked.ending ?? "kill",
      kinds: asked.kinds ?? ["boot", "time", "accepted", "accepted", "write", "write"],
      // So many that most of them are told of only once: what was lost is not made good by what comes later.
      pullsMax: 3 + kills,
      onKill: (count) => {
        if (count % progressKills === 0) asked.onProgress?.(`${count} of ${kills}`);
      },
      spans: {
        bootMsMax: 4_000,
        readyMsMax: 120_000,
        lifeMsMax: 5_000,
        // Longer than leases, settle times and the waits between attempts together.
        idleMsMax: 240_000,
        lingerMs: 3_000,
        deedGapMsMax: 2_000,
      },
    });
    const { output: _output, problems: _problems, ...figures } = report;
    asked.onProgress?.(JSON.stringify(figures));
    return report;
  } finally {
    await side.close();
  }
}

/** A report without its figures, which are the machine's affair. */
export function judgeKills({ problems, failedLives, accepted, effects }: KillReport): object {
  return { problems: problemWords(problems), failedLives, hasAccepted: accepted > 0, hasActed: effects > 0 };
}

export const soundKills = { problems: "", failedLives: [], hasAccepted: true, hasActed: true };
