import { join } from "node:path";
import type { PullRef } from "#ports/pull-ref.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { acceptedPulls, findLost, findTwice, type Judged, problemWords } from "./forge-oracle.ts";
import { type ForgeSide, type ForgeSideOptions, openForgeSide } from "./forge-side.ts";
import { layOutData } from "./lay-out-data.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import type { Plant } from "./plant.ts";
import { serveCommand, serveIsReady } from "./serve-command.ts";
import { until } from "./until.ts";

/** A forge with people on it, and servers on it that a test starts, ends and judges. */
export interface ServeWorld {
  readonly side: ForgeSide;
  /** Starts `drover serve`, the first one by default, and does not wait for anything. */
  serve(asked?: Served): Promise<NodeProcess>;
  /** Starts it and waits until it is ready. */
  ready(asked?: Served): Promise<NodeProcess>;
  /** Ada opens a pull with something in it that the rules object to. */
  openPull(): Promise<PullRef>;
  /** Waits until a webhook of this pull was accepted. */
  accepted(pull: PullRef): Promise<void>;
  /** What was promised and is not there, and what is there twice, in words. */
  readonly problems: () => string;
  /** Waits until Drover has done everything that it promised, and answers with what it did twice: nothing. */
  rest(): Promise<string>;
  /** Whoever keeps the folder of the forge removes it. */
  close(options?: { readonly keepFolder: boolean }): Promise<void>;
}

export interface Served {
  /** Counts from 0: which of the servers that are told of everything. */
  readonly index?: number;
  readonly databaseUrl?: string | null;
  readonly dataFolder?: string;
  readonly plants?: readonly Plant[];
  readonly env?: Readonly<Record<string, string>>;
  /** An open file for its log. Absent: the log is heard. */
  readonly log?: number;
}

export async function openServeWorld(options: ForgeSideOptions = {}): Promise<ServeWorld> {
  const side = await openForgeSide(options);
  const nodes: NodeProcess[] = [];
  const words = (): string => nodes.map((node) => `${JSON.stringify(node.end())} ${node.output()}`).join("\n---\n");
  const judged: Judged = { sandbox: side.forge.sandbox, bot: side.forge.people.drover, sent: side.sender.sent };
  const bundle = bundleOnce();
  let pulls = 0;
  await layOutData(side.dataFolder);
  const serve: ServeWorld["serve"] = async ({
    index = 0,
    databaseUrl = null,
    plants = [],
    env = {},
    log,
    ...asked
  } = {}) => {
    const script = await bundle(plants);
    const dataFolder = asked.dataFolder ?? (index === 0 ? side.dataFolder : join(side.folder, `data-${index}`));
    const own = { ...side, dataFolder, env: { ...side.env, ...env } };
    const command = serveCommand({ script, side: own, port: side.ports[index] ?? 0, databaseUrl });
    const node = startNode(log === undefined ? command : { ...command, stdout: log });
    nodes.push(node);
    return node;
  };
  return {
    side,
    serve,
    ready: async (asked) => {
      const node = await serve(asked);
      await node.waitFor(serveIsReady, readyMsMax);
      return node;
    },
    openPull: async () => {
      pulls += 1;
      return await openPull(side, pulls);
    },
    accepted: async (pull) => {
      const isThis = ({ pull: { repository, number } }: { readonly pull: PullRef }): boolean =>
        repository.id === pull.repository.id && number === pull.number;
      await until(() => acceptedPulls(judged).some(isThis), words);
    },
    problems: () => problemWords([...findLost(judged), ...findTwice(judged)]),
    rest: async () => {
      await side.sender.settle();
      await until(
        () => findLost(judged).length === 0,
        () => `${problemWords(findLost(judged))}\n${words()}`,
      );
      return problemWords(findTwice(judged));
    },
    close: async ({ keepFolder } = { keepFolder: false }) => {
      for (const node of nodes) await node.kill();
      await side.close({ keepFolder });
    },
  };
}

const readyMsMax = 120_000;

/** The same program for all servers of a test, whatever is edited meanwhile. */
function bundleOnce(): (plants: readonly Plant[]) => Promise<string> {
  const scripts = new Map<string, Promise<string>>();
  return async (plants) => {
    const key = JSON.stringify(plants);
    const script = scripts.get(key) ?? bundleEntry("src/cli/drover.ts", plants);
    scripts.set(key, script);
    return await script;
  };
}

async function openPull({ forge }: ForgeSide, number: number): Promise<PullRef> {
  const [repository] = forge.repositories;
  if (repository === undefined) throw new Error("there is no repository");
  const ada = forge.sandbox.as(forge.people.ada);
  const branch = `pull-${number}`;
  const changes = { [`src/pull-${number}.ts`]: `export function change() {\n  debugger;\n  return ${number};\n}\n` };
  await ada.push({ repository, branch, changes, message: `Change ${number}` });
  return await ada.openPull({ repository, branch, base: "main", title: `Change ${number}`, body: "Please." });
}
