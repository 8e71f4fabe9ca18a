import type { Forge } from "#ports/forge.ts";
import { remarks, type Scene } from "./scene.ts";
import { only } from "./seen.ts";
import type { ForgeTruth, Need } from "./world.ts";

/** A write of the port that is ready to be sent. */
export interface ReadyWrite {
  readonly send: () => Promise<unknown>;
  /** How often its effect is on the forge. */
  readonly count: (truth: ForgeTruth) => number;
  /** Half of it is there, as a failed submission leaves it on some forges; the client can see that and clean up. */
  readonly isHalf?: (truth: ForgeTruth) => boolean;
}

export interface Write {
  readonly method: keyof Forge;
  readonly need: Need | null;
  readonly prepare: (scene: Scene) => Promise<ReadyWrite>;
}

const said = "What the bot says.";

/** Every method of the port that changes something. */
export const everyWrite: readonly Write[] = [
  {
    method: "createComment",
    need: null,
    prepare: async ({ drover, pull }) => ({
      send: () => drover.createComment({ pull, body: said }),
      count: ({ comments }) => comments.filter(({ body }) => body === said).length,
    }),
  },
  {
    method: "editComment",
    need: null,
    prepare: async ({ drover, pull }) => {
      const comment = await drover.createComment({ pull, body: "Before." });
      return {
        send: () => drover.editComment({ pull, comment, body: said }),
        count: ({ comments }) => comments.filter(({ body }) => body === said).length,
      };
    },
  },
  {
    method: "addReaction",
    need: null,
    prepare: async ({ drover, pull, ada }) => {
      const comment = await ada.comment(pull, "A command.");
      return {
        send: () => drover.addReaction({ pull, comment, content: "eyes" }),
        count: ({ commentReactions }) => commentReactions.length,
      };
    },
  },
  {
    method: "claimPull",
    need: null,
    prepare: async ({ drover, pull }) => ({
      send: () => drover.claimPull({ pull, sign: "rocket" }),
      count: ({ reactions }) => reactions.length,
    }),
  },
  {
    method: "releasePull",
    need: null,
    prepare: async ({ drover, pull }) => {
      const { claim } = await drover.claimPull({ pull, sign: "rocket" });
      return {
        send: () => drover.releasePull({ pull, claim, sign: "rocket" }),
        count: ({ reactions }) => (reactions.length === 0 ? 1 : 0),
      };
    },
  },
  {
    method: "submitReview",
    need: null,
    prepare: async ({ drover, pull, head }) => ({
      send: () => drover.submitReview({ pull, head, event: "approve", body: said, remarks: [remarks.added] }),
      count: ({ reviews }) => reviews.filter(({ state }) => state !== "pending").length,
      isHalf: ({ reviews }) => reviews.some(({ state }) => state === "pending"),
    }),
  },
  {
    method: "editReview",
    need: "mayEditReviewBodies",
    prepare: async ({ drover, pull, head }) => {
      const review = await drover.submitReview({ pull, head, event: "comment", body: "Before.", remarks: [] });
      return {
        send: () => drover.editReview({ pull, review, body: said }),
        count: ({ reviews }) => reviews.filter(({ body }) => body === said).length,
      };
    },
  },
  {
    method: "dismissReview",
    need: "mayDismissReviews",
    prepare: async ({ drover, pull, head, world, repository, people }) => {
      await world.setPermission({ repository, account: people.drover, permission: "admin" });
      const review = await drover.submitReview({ pull, head, event: "approve", body: "Good.", remarks: [] });
      return {
        send: () => drover.dismissReview({ pull, review, words: said }),
        count: ({ reviews }) => reviews.filter(({ state }) => state === "dismissed").length,
      };
    },
  },
  {
    method: "discardPendingReview",
    need: "pending_reviews",
    prepare: async ({ drover, pull, world, people }) => {
      await world.leavePendingReview({ pull, by: people.drover });
      const { id: review } = only((await world.look(pull)).reviews);
      return {
        send: () => drover.discardPendingReview({ pull, review }),
        count: ({ reviews }) => (reviews.length === 0 ? 1 : 0),
      };
    },
  },
  {
    method: "replyInThread",
    need: null,
    prepare: async ({ drover, pull, rita, world }) => {
      await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.added] });
      const { id: thread } = only((await world.look(pull)).threads);
      return {
        send: () => drover.replyInThread({ pull, thread, body: said }),
        count: ({ threads }) => threads.flatMap(({ comments }) => comments).filter(({ body }) => body === said).length,
      };
    },
  },
  {
    method: "resolveThread",
    need: "mayResolveThreads",
    prepare: async ({ drover, pull, rita, world }) => {
      await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.added] });
      const { id: thread } = only((await world.look(pull)).threads);
      return {
        send: () => drover.resolveThread({ pull, thread }),
        count: ({ threads }) => threads.filter(({ isResolved }) => isResolved).length,
      };
    },
  },
  {
    method: "setGate",
    need: null,
    prepare: async ({ drover, pull, head }) => ({
      send: () => drover.setGate({ pull, head, state: "failure", words: said }),
      count: ({ gates }) => gates.length,
    }),
  },
  {
    method: "editLabels",
    need: null,
    prepare: async ({ drover, pull }) => {
      // Where a label is a thing of its own it is there from now on: making one is another write.
      await drover.editLabels({ pull, add: ["bug"], remove: [] });
      await drover.editLabels({ pull, add: [], remove: ["bug"] });
      return {
        send: () => drover.editLabels({ pull, add: ["bug"], remove: [] }),
        count: ({ pull: { labels } }) => labels.length,
      };
    },
  },
  {
    method: "requestReviews",
    need: null,
    prepare: async ({ drover, pull, people }) => ({
      send: () => drover.requestReviews({ pull, reviewers: [people.rita] }),
      count: ({ pull: { requestedReviewers } }) => requestedReviewers.length,
    }),
  },
  {
    method: "merge",
    need: null,
    prepare: async ({ drover, pull, head }) => ({
      send: () => drover.merge({ pull, head }),
      count: ({ merged }) => (merged === null ? 0 : 1),
    }),
  },
];
