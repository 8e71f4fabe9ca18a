import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import type { Forge } from "#ports/forge.ts";

/**
 * The last step before a client. Every method is named, so that no new one is forgotten. Names of accounts, repositories,
 * files and commits stay: the forge would not find them otherwise.
 */
export function maskingForge(forge: Forge, { mask }: SecretMasker): Forge {
  return {
    fetchIdentity: async () => forge.fetchIdentity(),
    fetchRepository: async (name) => forge.fetchRepository(name),
    findRateLimit: (repository) => forge.findRateLimit(repository),
    fetchPull: async (pull) => forge.fetchPull(pull),
    fetchPermission: async (request) => forge.fetchPermission(request),
    fetchOpenPulls: async (repository) => forge.fetchOpenPulls(repository),
    fetchRemote: async (repository, use) => forge.fetchRemote(repository, use),
    createComment: async (request) => forge.createComment({ ...request, body: mask(request.body) }),
    editComment: async (request) => forge.editComment({ ...request, body: mask(request.body) }),
    addReaction: async (request) => forge.addReaction(request),
    claimPull: async (request) => forge.claimPull(request),
    releasePull: async (request) => forge.releasePull(request),
    submitReview: async (request) => {
      const remarks = request.remarks.map((remark) => ({ ...remark, body: mask(remark.body) }));
      return forge.submitReview({ ...request, body: mask(request.body), remarks });
    },
    editReview: async (request) => forge.editReview({ ...request, body: mask(request.body) }),
    dismissReview: async (request) => forge.dismissReview({ ...request, words: mask(request.words) }),
    discardPendingReview: async (request) => forge.discardPendingReview(request),
    replyInThread: async (request) => forge.replyInThread({ ...request, body: mask(request.body) }),
    resolveThread: async (request) => forge.resolveThread(request),
    setGate: async ({ annotations = [], ...request }) =>
      forge.setGate({
        ...request,
        words: mask(request.words),
        annotations: annotations.map((annotation) => ({ ...annotation, words: mask(annotation.words) })),
      }),
    editLabels: async (request) => forge.editLabels({ ...request, add: request.add.map((label) => mask(label)) }),
    requestReviews: async (request) => forge.requestReviews(request),
    merge: async (request) => forge.merge(request),
  };
}
