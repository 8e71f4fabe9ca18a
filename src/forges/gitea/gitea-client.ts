import type { Capabilities } from "#core/model/capabilities.ts";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import type { Caller } from "#forges/gitea/gitea-call.ts";
import { commentWrites } from "#forges/gitea/gitea-comments.ts";
import { createFetchOpenPulls } from "#forges/gitea/gitea-fetch-open-pulls.ts";
import { fetchPull } from "#forges/gitea/gitea-fetch-pull.ts";
import { setGate } from "#forges/gitea/gitea-gate.ts";
import { createFetchBot } from "#forges/gitea/gitea-identity.ts";
import { editLabels } from "#forges/gitea/gitea-labels.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { mergePull } from "#forges/gitea/gitea-merge.ts";
import { createReadMergeability } from "#forges/gitea/gitea-mergeability.ts";
import { createFetchPermission } from "#forges/gitea/gitea-permission.ts";
import { createFetchServer, type GiteaServer } from "#forges/gitea/gitea-probe.ts";
import { threadWrites } from "#forges/gitea/gitea-reply.ts";
import { fetchRemote, fetchRepository } from "#forges/gitea/gitea-repository.ts";
import { reviewWrites } from "#forges/gitea/gitea-reviews.ts";
import { createThreadLocations } from "#forges/gitea/gitea-thread-locations.ts";
import { createSend } from "#forges/gitea/gitea-transport.ts";
import { fetchUnlessSilent } from "#forges/silent-fetch.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, usualGateName } from "#ports/forge.ts";

export interface GiteaSettings {
  /** As people open it, perhaps with a path; the API is at `/api/v1` below. */
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
  readonly gateName?: string | undefined;
  readonly onSpent?: ((spent: ForgeCallCost) => void) | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

export function createGiteaClient(settings: GiteaSettings): Forge {
  const { token, clock, gateName = usualGateName } = settings;
  const { onSpent = () => undefined, fetch = environmentFetch() } = settings;
  const url = settings.url.replace(/\/+$/, "");
  const bounded = boundedFetch(fetchUnlessSilent(fetch), giteaLimits.answerBytesMax);
  const caller: Caller = { send: createSend({ url, token, fetch: bounded, clock }), clock, onSpent };
  const fetchServer = createFetchServer(caller);
  const fetchBot = createFetchBot(caller);
  const readMergeability = createReadMergeability();
  const location = createThreadLocations();
  const reading = { manner: "read" } as const;
  return {
    async fetchIdentity() {
      const capabilities = giteaCapabilities(await fetchServer(reading));
      return { bot: await fetchBot(reading), capabilities };
    },
    fetchRepository: (name) => fetchRepository(caller, name),
    // Gitea does not count calls.
    findRateLimit: () => null,
    async fetchPull(pull) {
      const [server, bot] = [await fetchServer(reading), await fetchBot(reading)];
      return await fetchPull({
        caller,
        server,
        bot,
        gateName,
        pull,
        readMergeability,
        onThreads: (threads) => location.keep(pull, threads),
      });
    },
    fetchPermission: createFetchPermission(caller),
    fetchOpenPulls: createFetchOpenPulls(caller, fetchServer),
    fetchRemote: (repository) => fetchRemote(caller, { url, token }, repository),
    ...commentWrites(caller),
    ...reviewWrites({ caller, fetchBot }),
    ...threadWrites({ caller, fetchBot, fetchServer, places: location }),
    setGate: (request) => setGate(caller, gateName, request),
    editLabels: (request) => editLabels(caller, request),
    merge: (request) => mergePull(caller, request),
  };
}

function giteaCapabilities({ resolvesThreads }: GiteaServer): Capabilities {
  return {
    // Through the comment that holds it.
    mayEditReviewBodies: true,
    // Repository admins alone; Drover has to be one anyway, to be told who may do what.
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    mayApprove: true,
    mayResolveThreads: resolvesThreads,
    mayReactToReviews: true,
    tellsBodyEdits: false,
    hasNeutralGate: false,
    hasReactionEvents: false,
  };
}
