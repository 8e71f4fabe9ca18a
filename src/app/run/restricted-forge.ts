import { type Forge, ForgeError } from "#ports/forge.ts";

export interface RestrictForgeOptions {
  readonly forge: Forge;
  /** False: nothing is written. The run of a fork has no right to, and asking the forge would only earn refusals. */
  readonly mayWrite: boolean;
  /** Told of everything that the forge did not serve, so that a run that fails can say why. */
  readonly onError: (error: unknown) => void;
}

/** A forge as one run may use it. */
export function restrictForge({ forge, mayWrite, onError }: RestrictForgeOptions): Forge {
  const ask = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const write = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    if (mayWrite) return await ask(call);
    throw new ForgeError("forbidden", "this run only reads", { isApplied: "no" });
  };
  return {
    fetchIdentity: async () => await ask(async () => await forge.fetchIdentity()),
    fetchRepository: async (name) => await ask(async () => await forge.fetchRepository(name)),
    findRateLimit: (repository) => forge.findRateLimit(repository),
    fetchPull: async (pull) => await ask(async () => await forge.fetchPull(pull)),
    fetchPermission: async (request) => await ask(async () => await forge.fetchPermission(request)),
    fetchOpenPulls: async (repository) => await ask(async () => await forge.fetchOpenPulls(repository)),
    fetchRemote: async (repository, use) => await ask(async () => await forge.fetchRemote(repository, use)),
    createComment: async (request) => await write(async () => await forge.createComment(request)),
    editComment: async (request) => await write(async () => await forge.editComment(request)),
    addReaction: async (request) => await write(async () => await forge.addReaction(request)),
    claimPull: async (request) => await write(async () => await forge.claimPull(request)),
    releasePull: async (request) => await write(async () => await forge.releasePull(request)),
    submitReview: async (request) => await write(async () => await forge.submitReview(request)),
    editReview: async (request) => await write(async () => await forge.editReview(request)),
    dismissReview: async (request) => await write(async () => await forge.dismissReview(request)),
    discardPendingReview: async (request) => await write(async () => await forge.discardPendingReview(request)),
    replyInThread: async (request) => await write(async () => await forge.replyInThread(request)),
    resolveThread: async (request) => await write(async () => await forge.resolveThread(request)),
    setGate: async (request) => await write(async () => await forge.setGate(request)),
    editLabels: async (request) => await write(async () => await forge.editLabels(request)),
    requestReviews: async (request) => await write(async () => await forge.requestReviews(request)),
    merge: async (request) => await write(async () => await forge.merge(request)),
  };
}
