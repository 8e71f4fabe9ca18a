const eventuallyMsMax = 30_000;
const pollMs = 20;

/** Waits until it is so. What never comes fails the test by this limit, however slow the machine. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + eventuallyMsMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error("it never came");
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
