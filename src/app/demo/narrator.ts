import type { DemoEvent } from "#app/demo/demo-event.ts";
import { forgeWords } from "#app/demo/forge-words.ts";
import { storyPull } from "#app/demo/story.ts";
import { isWorthTelling, type Looked, tickWords } from "#app/demo/tick-words.ts";
import type { SandboxStack } from "#app/sandbox-stack/sandbox-stack.ts";
import type { HeadSha, ThreadId } from "#core/model/ids.ts";
import { mainBranch } from "#forges/sandbox/push-branch.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { TickReport } from "#reconcile/tick.ts";

const linesMax = 20;

export interface Narrator {
  catchUp(): Promise<readonly SandboxChange[]>;
  skip(): void;
}

export function createNarrator(
  stack: SandboxStack,
  { reports, tell }: { readonly reports: readonly TickReport[]; readonly tell: (told: DemoEvent) => Promise<void> },
): Narrator {
  const { history } = stack.sandbox;
  let changesTold = 0;
  let reportsTold = 0;
  let lastLook: Looked | undefined;
  const tellReport = async (report: TickReport): Promise<void> => {
    if (report.kind !== "looked") return;
    const told = tickWords(lastLook, report);
    lastLook = report;
    if (isWorthTelling(told)) await tell(told);
  };
  return {
    skip: () => {
      changesTold = history.length;
    },
    catchUp: async () => {
      const changes = history.slice(changesTold);
      const fresh = reports.slice(reportsTold);
      changesTold += changes.length;
      reportsTold += fresh.length;
      for (const report of fresh) await tellReport(report);
      for (const change of changes) {
        const told = forgeWords(change, {
          who: change.by.id === stack.people.drover.id ? "drover" : "others",
          placeOf: (thread) => placeOf(stack, thread),
          changed: change.what.kind === "pushed" ? await linesOf(stack, change.what) : [],
        });
        if (told !== undefined) await tell(told);
      }
      return changes;
    },
  };
}

function placeOf(stack: SandboxStack, id: ThreadId): string {
  const thread = stack.sandbox.look(storyPull(stack)).threads.find((one) => one.id === id);
  if (thread === undefined) return "a line";
  return thread.line === null ? thread.path : `${thread.path}:${thread.line}`;
}

async function linesOf(
  { host, repository }: SandboxStack,
  { from, to }: { readonly from: HeadSha | null; readonly to: HeadSha },
): Promise<readonly string[]> {
  const base = from ?? (await host.refsOf(repository.name)).get(`refs/heads/${mainBranch}`);
  const diff = base === undefined ? undefined : await host.diff({ repository: repository.name, base, head: to });
  return diff === undefined ? [] : changedLines(Buffer.from(diff.bytes).toString());
}

export function changedLines(diff: string): readonly string[] {
  const lines: string[] = [];
  let isInHunk = false;
  for (const line of diff.split("\n")) {
    const file = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) {
      lines.push(`${file}:`);
      isInHunk = false;
    } else if (line.startsWith("@@")) {
      isInHunk = true;
    } else if (isInHunk && /^[+-]./.test(line)) {
      lines.push(`${line.slice(0, 1)} ${line.slice(1)}`);
    }
  }
  const shown = lines.slice(0, linesMax);
  return lines.length > linesMax ? [...shown, `… and ${lines.length - linesMax} lines more`] : shown;
}
