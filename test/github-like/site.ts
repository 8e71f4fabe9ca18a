import type { Account } from "#core/model/account.ts";
import type { ServedView } from "#forges/sandbox/call-endpoint.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import type { Allowances } from "#github-like/allowance.ts";
import type { AppState } from "#github-like/app-state.ts";
import type { Extras } from "#github-like/extras.ts";
import type { Numbers } from "#github-like/numbers.ts";
import type { Rights } from "#github-like/rights.ts";
import type { SeenRequest } from "#github-like/seen-request.ts";
import type { Sight } from "#github-like/sight.ts";
import type { Clock } from "#ports/clock.ts";

/** One server, for all its requests. */
export interface Site {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly tokens: ReadonlyMap<string, Account>;
  readonly apps: AppState;
  readonly numbers: Numbers;
  readonly extras: Extras;
  readonly allowances: Allowances;
  readonly tokenClock: Pick<Clock, "now"> | null;
  readonly gitRoot: string | null;
  /** Of an answer that says "too much at once". */
  readonly limitStatus: 403 | 429;
  /** What a request meets that nobody answers. */
  readonly silence: "hangs_up" | "waits";
  readonly note: (seen: SeenRequest) => void;
  readonly complain: (what: string) => void;
}

/** One call on it, with the rights of whoever asks. */
export function sightOf(site: Site, rights: Rights, look: ServedView): Sight {
  const { url, numbers, extras, apps, allowances, gitRoot } = site;
  const date = look.world.now();
  const tokenDate = site.tokenClock?.now() ?? date;
  return {
    ...look,
    rights,
    url,
    numbers,
    extras,
    apps,
    allowances,
    date,
    tokenDate,
    hasGit: gitRoot !== null,
    takenIn: new Map(),
  };
}
