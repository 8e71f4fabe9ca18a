import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import type { WireCheckRun, WireStatus } from "#forges/sandbox/wire.ts";
import type { CheckRunRequest, StatusRequest } from "#forges/sandbox/write-endpoints.ts";
import type { FetchedPull, Forge } from "#ports/forge.ts";

type Gate = NonNullable<FetchedPull["gate"]>;
type GateRequest = Parameters<Forge["setGate"]>[0];

/** A plain status cannot say "neutral": it is a success whose words begin so. */
const neutralWords = "neutral: ";

/** Only apps on GitHub make check runs. */
export function gateFormOf(manner: SandboxManner, account: Account): "check_run" | "status" {
  return manner === "github" && account.kind === "bot" ? "check_run" : "status";
}

export function gateStatus(context: string, { head, state, words }: GateRequest): StatusRequest {
  if (state !== "neutral") return { commit: head, context, state, description: words };
  return { commit: head, context, state: "success", description: neutralWords + words };
}

const titleCharactersMax = 255;

/** The title has a limit, so the whole words are in the summary. */
export function gateCheckRun(name: string, { head, state, words }: GateRequest): CheckRunRequest {
  return {
    commit: head,
    name,
    status: state === "pending" ? "in_progress" : "completed",
    conclusion: state === "pending" ? null : state,
    output: { title: words.slice(0, titleCharactersMax), summary: words },
  };
}

export function readGateStatus({ state, description }: WireStatus, head: HeadSha): Gate {
  if (state !== "success" || !description.startsWith(neutralWords)) return { head, state, words: description };
  return { head, state: "neutral", words: description.slice(neutralWords.length) };
}

export function readGateCheckRun({ conclusion, output }: WireCheckRun, head: HeadSha): Gate {
  return { head, state: conclusion ?? "pending", words: output.summary };
}
