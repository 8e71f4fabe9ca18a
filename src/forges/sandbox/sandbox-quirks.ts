import type { SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";

/** The quirks that a manner brings along, unless somebody switches them. */
export const defaultQuirks: Readonly<Record<SandboxManner, SandboxQuirks>> = {
  github: {
    repointsReviews: true,
    refusesForeignAnchors: true,
    unknownEventIsPending: false,
    leaksPendingReviews: false,
    listsOriginalBodies: false,
    sendsSpuriousSynchronized: false,
    hidesBodyEdits: false,
    mergeabilityDelayMs: 5_000,
    cutsTimesToSeconds: true,
    hidesPushTimes: false,
    hidesPermissions: false,
    hidesAccountKinds: false,
    resolvesThreads: true,
    pageSize: 100,
  },
  gitea: {
    repointsReviews: false,
    refusesForeignAnchors: false,
    unknownEventIsPending: true,
    leaksPendingReviews: true,
    listsOriginalBodies: true,
    sendsSpuriousSynchronized: true,
    hidesBodyEdits: true,
    mergeabilityDelayMs: 2_000,
    cutsTimesToSeconds: true,
    hidesPushTimes: true,
    hidesPermissions: true,
    hidesAccountKinds: true,
    resolvesThreads: false,
    pageSize: 50,
  },
};
