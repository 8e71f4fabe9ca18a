import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { listen } from "#forge-like/listen.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Ends } from "./serve-gitea-world.ts";
import { openServedForge, type ServedForge } from "./served-forge.ts";
import { until } from "./until.ts";

const timeout = 600_000;
/** Five scenarios share a server, and wait for each other. */
const seenMsMax = 280_000;
const marker = "Work in progress, @drover disable-reviews please.";

/** What changes `slow/` is also read by a model, which never answers. */
const roles = [
  { name: "general", reviewer: "rules" },
  { name: "deep", reviewer: "model", paths: ["slow/"] },
];

/**
 * The scenarios of the seed that gave Drover its suppression of reviews, by their numbers, on `drover serve`: each is seen
 * on the forge. Where SPEC.md differs from the seed, it holds.
 */
export function testScenarios(forgeManner: SandboxManner, node?: string): void {
  describe.each([forgeManner])("a server on %s", { timeout }, (manner) => {
    const ends: Ends = [];
    const model = { asked: 0, waiting: 0 };
    let forge: ServedForge;
    beforeAll(async () => {
      const silent = await listen(0, async (request) => {
        model.asked += 1;
        model.waiting += 1;
        request.socket.once("close", () => {
          model.waiting -= 1;
        });
      });
      ends.push(async () => await silent.close());
      const chain = [{ provider: "anthropic", model: "claude-sonnet-4-5", baseUrl: `${silent.url}/v1` }];
      const rules = { reviews: { roles }, approval: { pollMs: 3_600_000 } };
      const options = { config: { rules, models: { main: { chain } } }, env: { ANTHROPIC_API_KEY: "key-of-nobody" } };
      forge = await openServedForge(manner, { ...options, node }, ends);
    }, timeout);
    afterAll(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
      expect(forge.violations).toEqual([]);
    }, timeout);

    async function openPull(branch: string, body: string, folder = "src"): Promise<PullRef> {
      const { ada, repository } = forge;
      const changes = { [`${folder}/${branch}.ts`]: "export const one = 1;\n" };
      await ada.push({ repository, branch, changes, message: "Add" });
      return await ada.openPull({ repository, branch, base: "main", title: `Add ${branch}`, body });
    }

    async function push(pull: PullRef, folder = "src"): Promise<HeadSha> {
      const { branch } = forge.sandbox.look(pull).pull.head;
      const changes = { [`${folder}/${branch}.ts`]: "export const two = 2;\n" };
      return await forge.ada.push({ repository: forge.repository, branch, changes, message: "Change" });
    }

    const headOf = (pull: PullRef): HeadSha => forge.sandbox.look(pull).pull.head.sha;
    const isOwn = ({ author }: { readonly author: { readonly id: string } }): boolean => author.id === forge.bot.id;
    const ownComments = (pull: PullRef): readonly string[] =>
      forge.sandbox
        .look(pull)
        .comments.filter(isOwn)
        .map(({ body }) => body);
    const managed = (pull: PullRef): string =>
      ownComments(pull).find((body) => body.startsWith("<!-- drover:managed")) ?? "";
    const ownReviews = (pull: PullRef): readonly string[] =>
      forge.sandbox
        .look(pull)
        .reviews.filter(isOwn)
        .map(({ body }) => body);
    const isReviewed = (pull: PullRef, head: HeadSha): boolean =>
      ownReviews(pull).some((body) => body.includes(`of \`${head.slice(0, 7)}`));

    const seen = async (isSo: () => boolean): Promise<void> => await until(isSo, forge.words, seenMsMax);
    const reviewed = async (pull: PullRef, head: HeadSha): Promise<void> => await seen(() => isReviewed(pull, head));
    /** The one notice names this commit, and both ways out. */
    async function noticed(pull: PullRef, head: HeadSha): Promise<void> {
      await seen(() => managed(pull).includes(`Not reviewing commit \`${head}\` due to explicit suppression`));
      expect(ownComments(pull).filter((body) => body.includes("Not reviewing commit"))).toHaveLength(1);
      expect(managed(pull)).toMatch(/enable-reviews`[^]* review`/);
    }

    /** Rita says it, and waits for the reaction. */
    async function command(pull: PullRef, words: string): Promise<void> {
      const said = await forge.rita.comment(pull, words);
      await seen(() => forge.sandbox.look(pull).commentReactions.some(({ comment }) => comment === said));
    }

    /** By the second answer everything that follows from the look before the first one has been done. */
    async function settled(pull: PullRef): Promise<void> {
      for (let times = 0; times < 2; times++) await command(pull, "@drover status");
    }

    test.concurrent("1. a pull that is opened with the marker gets the notice and no review, push after push", async () => {
      const pull = await openPull("one", marker);
      await noticed(pull, headOf(pull));
      for (let pushes = 0; pushes < 2; pushes++) await noticed(pull, await push(pull));
      await settled(pull);
      expect(ownReviews(pull)).toEqual([]);
    });

    test.concurrent("2. enable-reviews on a suppressed pull has the current commit reviewed, and the later ones", async () => {
      const pull = await openPull("two", marker);
      await noticed(pull, headOf(pull));
      await command(pull, "@drover enable-reviews");
      await reviewed(pull, headOf(pull));
      await seen(() => managed(pull).includes(`Commit \`${headOf(pull)}\` is reviewed`));
      await reviewed(pull, await push(pull));
      expect(ownComments(pull).filter((body) => body.includes("Not reviewing commit"))).toEqual([]);
    });

    test.concurrent("3. disable-reviews cancels what is pending, and the next push gets the notice", async () => {
      const pull = await openPull("three", "Please.", "slow");
      await seen(() => model.waiting === 1);
      await command(pull, "@drover disable-reviews");
      await seen(() => managed(pull).includes("1 pending review was cancelled"));
      await seen(() => model.waiting === 0);
      await noticed(pull, await push(pull, "slow"));
      await settled(pull);
      expect(model.asked).toBe(1);
      expect(ownReviews(pull).filter((body) => body.includes("drover:review deep"))).toEqual([]);
      expect(isReviewed(pull, headOf(pull))).toBe(false);
    });

    test.concurrent("4. review on a suppressed pull reviews once, and the next push is suppressed again", async () => {
      const pull = await openPull("four", marker);
      const first = headOf(pull);
      await noticed(pull, first);
      await command(pull, "@drover review");
      await reviewed(pull, first);
      const second = await push(pull);
      await noticed(pull, second);
      await settled(pull);
      expect(isReviewed(pull, second)).toBe(false);
      expect(ownReviews(pull).filter((body) => body.includes("drover:review general"))).toHaveLength(1);
    });

    test.concurrent("5. the marker that is edited into the description counts, and so does its removal", async () => {
      const pull = await openPull("five", "Please.");
      await reviewed(pull, headOf(pull));
      await forge.ada.editPull(pull, { body: marker });
      const second = await push(pull);
      await noticed(pull, second);
      await settled(pull);
      expect(isReviewed(pull, second)).toBe(false);
      await forge.ada.editPull(pull, { body: "It is ready." });
      // Gitea sends no webhook for it: the next one, whatever it is about, or a poll shows it.
      if (manner === "gitea") await forge.ada.comment(pull, "It is ready now.");
      await reviewed(pull, second);
    });

    test("6. a server that has lost everything knows from the pull alone what was switched how", async () => {
      const [enabled, disabled] = [await openPull("six-enabled", marker), await openPull("six-disabled", "Please.")];
      await noticed(enabled, headOf(enabled));
      await command(enabled, "@drover enable-reviews");
      await reviewed(enabled, headOf(enabled));
      await reviewed(disabled, headOf(disabled));
      await command(disabled, "@drover disable-reviews");
      await forge.startAnew();
      await reviewed(enabled, await push(enabled));
      const second = await push(disabled);
      await noticed(disabled, second);
      await settled(disabled);
      expect(isReviewed(disabled, second)).toBe(false);
    });
  });
}
