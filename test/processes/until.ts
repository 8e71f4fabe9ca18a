import { setTimeout as sleep } from "node:timers/promises";

/** What never comes fails the test by this limit, however slow the machine. */
const untilMsMax = 120_000;
const glanceMs = 20;

/** Waits until it is so; `words` says what is the matter where it never is. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  words: () => string,
  msMax = untilMsMax,
): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it never came to that: ${words()}`);
    await sleep(glanceMs);
  }
}
