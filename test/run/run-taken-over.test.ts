import { expect, it } from "vitest";
import { trackRetries } from "#app/run/retry-tracking-queue.ts";
import { runPull } from "#app/run/run-pull.ts";
import { hourMs, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { someDependencies } from "#harness/some-dependencies.ts";
import { openTestForge } from "#harness/test-forge.ts";
import { claimSigns } from "#ports/forge.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const start = instant(1_767_258_000_000);

const quiet = {
  "stood still": { ms: 20 * minuteMs, endpoints: ["create_check_run"] },
  "was refused by its forge": { ms: 100 * secondMs, endpoints: ["create_check_run", "react_to_pull"] },
};

it.each(["stood still", "was refused by its forge"] as const)(
  "a run that %s while another run came writes nothing more, and says why it ends",
  async (reason) => {
    const { ms, endpoints } = quiet[reason];
    let isQuiet = false;
    const clock = createVirtualClock(start);
    const hub = createMemoryHub();
    const told: string[] = [];
    const forge = await openTestForge({
      clock,
      hub,
      faults: ({ endpoint }) => {
        isQuiet ||= endpoint === "create_check_run";
        return isQuiet && clock.now() < start + ms && endpoints.includes(endpoint)
          ? { kind: "rate_limited", retryAfterMs: start + ms - clock.now() }
          : null;
      },
      people: { ada: "owner", drover: { kind: "bot", may: "write" } },
    });
    const pull = await forge.openPull();
    const { queue, retried } = trackRetries(createMemoryQueue({ clock, random: createSeededRandom(1) }));
    const client = forge.sandbox.clientOf(forge.accounts.drover, clock);
    let troubles: readonly string[] = [];
    const run = runPull({
      dependencies: someDependencies({ forge: client, git: createMemoryGit(hub), clock, queue }),
      retried,
      repository: forge.repository.name,
      number: pull.number,
      isReadOnly: false,
      isAnew: false,
      timeoutMs: hourMs,
      triesMax: 3,
      signal: new AbortController().signal,
      tell: (line) => void told.push(line),
      lastError: () => null,
    });
    const running = (async () => {
      ({ troubles } = await run);
    })();
    await clock.advance(minuteMs);
    expect(told.at(-1)).toContain("waiting");
    if (reason === "stood still") clock.set(instant(clock.now() + 2 * minuteMs));
    const signs = forge.sandbox
      .look(pull)
      .reactions.filter(({ content }) => claimSigns.some((sign) => sign === content));
    for (const { content } of signs) await forge.people.drover.unreact(pull, content);
    await forge.people.drover.react(pull, claimSigns[0]);
    const before = forge.sandbox.history.length;
    await clock.advance(30 * minuteMs);
    expect(troubles).toContain(
      "the run stood still or had to wait for a minute or more, and another run took its work over",
    );
    expect(forge.sandbox.history.slice(before).map(({ what }) => what.kind)).toEqual([]);
    await running;
  },
);
