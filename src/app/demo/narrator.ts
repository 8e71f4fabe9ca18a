import type { DemoEvent } from "#app/demo/demo-event.ts";
import { reactionWords } from "#app/demo/reaction-words.ts";
import { storyPull } from "#app/demo/story.ts";
import { isWorthTelling, type Looked, tickWords } from "#app/demo/tick-words.ts";
import type { SandboxStack } from "#app/sandbox-stack/sandbox-stack.ts";
import { readSentinel } from "#core/effects/sentinel.ts";
import type { HeadSha, ThreadId } from "#core/model/ids.ts";
import { formatInstant } from "#core/model/instant.ts";
import { counted, listed } from "#core/words/counted.ts";
import { shortSha } from "#core/words/short-sha.ts";
import { mainBranch } from "#forges/sandbox/push-branch.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { TickReport } from "#reconcile/tick.ts";

const reportWords = { pending: "has begun", passed: "is green", failed: "is red" } as const;

const eventWords = { approve: "approves", request_changes: "asks for changes", comment: "comments" } as const;

const linesMax = 20;

export function createNarrator(
  stack: SandboxStack,
  { reports, tell }: { readonly reports: readonly TickReport[]; readonly tell: (told: DemoEvent) => Promise<void> },
): { catchUp(): Promise<readonly SandboxChange[]>; skip(): void } {
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
          placeOf: (thread) => threadPlace(stack, thread),
          changed: change.what.kind === "pushed" ? await linesOf(stack, change.what) : [],
        });
        if (told !== undefined) await tell(told);
      }
      return changes;
    },
  };
}

function threadPlace(stack: SandboxStack, id: ThreadId): string {
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

interface Context {
  readonly who: "drover" | "others";
  readonly placeOf: (thread: ThreadId) => string;
  readonly changed: readonly string[];
}

/** Undefined if it would only repeat what was told already. */
function forgeWords(change: SandboxChange, { who, placeOf, changed }: Context): DemoEvent | undefined {
  const at = formatInstant(change.at);
  const what = who === "others" ? othersWords(change.what) : pushWords(change.what);
  if (what !== undefined) return { kind: "happened", at, by: change.by.login, what, lines: changed };
  const wrote = who === "drover" ? writtenWords(change.what, placeOf) : undefined;
  return wrote === undefined ? undefined : { kind: "wrote", at, what: wrote.what, lines: pageLines(wrote.body) };
}

function pushWords(what: SandboxChange["what"]): string | undefined {
  if (what.kind === "merged") return `merged ${shortSha(what.head)} into ${what.base}, as ${shortSha(what.commit)}`;
  if (what.kind !== "pushed" || what.branch === mainBranch) return undefined;
  return `pushed ${shortSha(what.to)} to ${what.branch}`;
}

function othersWords(what: SandboxChange["what"]): string | undefined {
  switch (what.kind) {
    case "pushed":
      return `pushed ${shortSha(what.to)} to ${what.branch}`;
    case "opened":
      return `opened a pull of ${shortSha(what.head)} for ${what.base}`;
    case "commented":
      return `said "${what.body}"`;
    case "reacted":
      return `gave the pull ${reactionWords[what.content]}`;
    case "unreacted":
      return `took back ${reactionWords[what.content]}`;
    case "reported":
      return `"${what.name}" ${reportWords[what.state]} on ${shortSha(what.commit)}`;
    case "merged":
      return `merged ${shortSha(what.head)}`;
    default:
      return undefined;
  }
}

interface Written {
  readonly what: string;
  readonly body: string;
}

/** The managed comment is left out: it repeats the decisions. */
function writtenWords(what: SandboxChange["what"], placeOf: Context["placeOf"]): Written | undefined {
  if (what.kind === "reviewed") {
    const remarks =
      what.threads.length === 0 ? "" : `, with ${counted(what.threads.length, "remark", "remarks")} on lines`;
    return { what: `a review that ${eventWords[what.event]}${remarks}`, body: what.body };
  }
  if (what.kind === "review_requested") {
    return { what: `a request for another look, to ${listed(what.of.map(({ login }) => login))}`, body: "" };
  }
  if (what.kind !== "commented" || readSentinel(what.body) !== undefined) return undefined;
  return { what: what.thread === null ? "a comment" : `a reply on ${placeOf(what.thread)}`, body: what.body };
}

export function pageLines(markdown: string): readonly string[] {
  const visible = markdown
    .replace(/<details>[\s\S]*?<\/details>/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/[\u200b\u2060\ufeff]/g, "");
  const lines = visible.split("\n").map(plain);
  return alignTables(lines).filter((line) => line !== "");
}

function plain(line: string): string {
  return line.replace(/^#+ /, "").replace(/[*`]/g, "").replace(/&lt;/g, "<").replace(/&amp;/g, "&").trimEnd();
}

function alignTables(lines: readonly string[]): readonly string[] {
  const kept = lines.filter((line, index) => !isRule(line) && !isRule(lines[index + 1] ?? ""));
  const rows = kept.filter(isRow).map(cellsOf);
  const width = (column: number): number => Math.max(...rows.map((cells) => (cells[column] ?? "").length));
  return kept.map((line) => {
    if (!isRow(line)) return line;
    const cells = cellsOf(line);
    return cells
      .map((cell, column) => (column === 0 || column === cells.length - 1 ? cell : cell.padEnd(width(column))))
      .join("  ")
      .trimEnd();
  });
}

function isRow(line: string): boolean {
  return line.startsWith("| ");
}

function isRule(line: string): boolean {
  return /^\|[\s|-]+\|$/.test(line) && line.includes("---");
}

function cellsOf(row: string): readonly string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}
