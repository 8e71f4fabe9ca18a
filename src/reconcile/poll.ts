import type { Parts } from "#ports/parts.ts";
import { type PullRef, pullKeyOf, type RepositoryRef } from "#ports/pull-ref.ts";

/** The pull gets one entry in the queue; if one waits already, it is due now. */
export async function poke({ instance, queue }: Pick<Parts, "instance" | "queue">, pull: PullRef): Promise<void> {
  const key = pullKeyOf(instance, pull);
  await queue.put({ queue: "tick", key, at: null, whileRunning: "keep", priority: 2, payload: { pull } });
}

/**
 * For the webhooks that never came: all open pulls on which something has happened since the last time are poked, and
 * once more the next time, because the look that followed may have been shown the past. The poke comes first: a crash
 * in between pokes once more, and never once less.
 */
export async function poll(
  parts: Pick<Parts, "instance" | "queue" | "store" | "forge">,
  repository: RepositoryRef,
): Promise<number> {
  let poked = 0;
  for (const { pull, digest } of await parts.forge.fetchOpenPulls(repository)) {
    const key = pullKeyOf(parts.instance, pull);
    const known = await parts.store.findDigest(key);
    if (known === digest) continue;
    const seen = known === seenOnce(digest) ? digest : seenOnce(digest);
    await poke(parts, pull);
    await parts.store.saveDigest(key, seen);
    poked++;
  }
  return poked;
}

function seenOnce(digest: string): string {
  return `once ${digest}`;
}
