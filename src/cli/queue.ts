import { type QueueOverviewResponse, QueueRetryRequest } from "#app/queue/queue-api.ts";
import { openQueueClient, type QueueClient } from "#app/queue/queue-client.ts";
import { dataLocation } from "#cli/data-location.ts";
import { type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import { formatInstant, instant } from "#core/model/instant.ts";

export interface QueueCall {
  readonly data?: string | undefined;
  readonly json?: boolean | undefined;
}

export interface RetryCall extends QueueCall {
  readonly forge: string;
  readonly queue: string;
  readonly key: string;
}

export async function queue(call: QueueCall, terminal: Terminal): Promise<number> {
  return await withQueue(call, terminal, async (asked) => {
    const overview = await asked.overview();
    terminal.out(call.json === true ? `${JSON.stringify(overview)}\n` : overviewPage(overview));
    return 0;
  });
}

export async function queueRetry(call: RetryCall, terminal: Terminal): Promise<number> {
  const entry = QueueRetryRequest.safeParse({ instance: call.forge, queue: call.queue, key: call.key });
  if (!entry.success) {
    throw new UsageError(
      "--forge, --queue and --key are needed, as `drover queue` shows them for quarantined entries.",
    );
  }
  return await withQueue(call, terminal, async (asked) => {
    const outcome = await asked.retry(entry.data);
    if (call.json === true) terminal.out(`${JSON.stringify({ outcome })}\n`);
    else
      terminal.out(outcome === "put_back" ? "restored: it is due now\n" : "no entry is quarantined under that key\n");
    return outcome === "put_back" ? 0 : 1;
  });
}

async function withQueue(
  call: QueueCall,
  terminal: Terminal,
  use: (asked: QueueClient) => Promise<number>,
): Promise<number> {
  const asked = await openQueueClient(dataLocation(call, terminal)).catch((error: unknown) => {
    throw toUsageError(error, ["DatabaseError", "StartError"]);
  });
  try {
    return await use(asked);
  } finally {
    await asked.close();
  }
}

function overviewPage({ queues, buried }: QueueOverviewResponse): string {
  if (queues.length === 0) return "nothing is in the queue\n";
  const lines = queues.map(
    ({ instance, queue: name, waiting, due, running, buried: aside }) =>
      `  ${instance} ${name}: ${running} running, ${waiting} waiting (${due} due), ${aside} set aside`,
  );
  const set = buried.map(
    ({ instance, queue: name, key, attempts, why, since }) =>
      `  since ${formatInstant(instant(since))}, after ${attempts} attempts: ${why}\n    drover queue retry --forge ${instance} --queue ${name} --key '${key}'`,
  );
  const rest = set.length === 0 ? [] : ["", "set aside:", ...set];
  return `${["queues:", ...lines, ...rest].join("\n")}\n`;
}
