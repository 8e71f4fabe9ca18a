import { makeApp } from "#app/init/make-app.ts";
import { actionOf } from "#app/init/workflow-file.ts";
import { workflowPath, writeWorkflow } from "#app/init/write-workflow.ts";
import { readPort } from "#cli/read-port.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { version } from "#cli/version.ts";

export interface InitCall {
  readonly isWorkflow: boolean;
  readonly isGithubApp: boolean;
  readonly isForced: boolean;
  /** `owner/name@commit`. */
  readonly action: string | undefined;
  readonly folder: string | undefined;
  readonly port: string | undefined;
  readonly org: string | undefined;
  readonly url: string | undefined;
  readonly apiUrl: string | undefined;
  readonly data: string | undefined;
  readonly isJson: boolean;
}

/** `drover init`: the files and the App that Drover needs to begin. */
export async function init(call: InitCall, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (call.isWorkflow === call.isGithubApp) {
    throw new UsageError("init needs one of --workflow (run as an Action) and --github-app (run a server).");
  }
  return call.isWorkflow ? await initWorkflow(call, terminal) : await initApp(call, terminal, signal);
}

async function initWorkflow(call: InitCall, terminal: Terminal): Promise<number> {
  const action = call.action ?? actionOf(version);
  if (!/^[\w.-]+\/[\w./-]+@[\w./-]+$/.test(action)) {
    throw new UsageError(`--action ${action}: expected owner/name@ref, best with a whole commit id.`);
  }
  const written = await writeWorkflow({ folder: call.folder ?? ".", action, mayOverwrite: call.isForced });
  if (written === "there_already") {
    throw new UsageError(`${workflowPath} is there already: look at it, and say --force to write over it.`);
  }
  if (call.isJson) terminal.out(`${JSON.stringify({ kind: "written", path: workflowPath, action })}\n`);
  else terminal.out(workflowWords(action));
  return 0;
}

function workflowWords(action: string): string {
  const isCommit = /@[0-9a-f]{40}$/.test(action);
  return [
    `${workflowPath} is written; it runs ${action}.`,
    ...(isCommit ? [] : ["A tag can be moved: name a commit with --action owner/name@COMMIT to be sure of the code."]),
    "Give the repository the secret that Drover marks its notes with, and commit the file:",
    "  openssl rand -hex 32 | gh secret set DROVER_SECRET",
    "",
  ].join("\n");
}

const defaultData = "drover-data";

async function initApp(call: InitCall, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const made = await makeApp({
    port: readPort(call.port, 0),
    apiUrl: readAddress("--api-url", call.apiUrl) ?? "https://api.github.com",
    organisation: call.org ?? null,
    serverUrl: readAddress("--url", call.url) ?? null,
    dataFolder: call.data ?? defaultData,
    signal,
    onReady: ({ url, manifest }) => {
      const ready = { kind: "ready", url, manifest };
      terminal.out(
        call.isJson ? `${JSON.stringify(ready)}\n` : `Open ${url} in a browser on this machine; Ctrl-C ends it.\n`,
      );
    },
  }).catch(sayWhyNot);
  if (made === null) {
    terminal.err("drover: no App was made\n");
    return 1;
  }
  const { id, slug, installUrl, keyFile, secretFile, config } = made;
  const facts = { kind: "made", id, slug, installUrl, keyFile, secretFile, config };
  terminal.out(
    call.isJson
      ? `${JSON.stringify(facts)}\n`
      : `The App ${slug} is made. Install it: ${installUrl}\nIn drover.config.yml:\n\n${config}`,
  );
  return 0;
}

function readAddress(option: string, asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  if (URL.canParse(asked) && /^https?:$/.test(new URL(asked).protocol)) return asked.replace(/\/+$/, "");
  throw new UsageError(`${option} ${asked}: expected an address such as https://drover.example.`);
}

function sayWhyNot(error: unknown): never {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (!isTaken) throw error;
  throw new UsageError("the port is taken: choose another one with --port, or any that is free without it.", {
    cause: error,
  });
}
