import { afterAll, beforeAll, expect, test } from "vitest";
import { reviewChange } from "#app/review/review-change.ts";
import { decodeText } from "#core/diff/byte-scan.ts";
import { Rules } from "#core/model/rules.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { aFailedReview, aReviewer } from "#testing/review-makers.ts";
import { type CheckoutWorld, harmless, openCheckoutWorld, problem } from "./checkout-world.ts";

/** What a reviewer that looks beyond the diff finds in a checkout. */

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(async () => {
  await world.close();
});

async function lookedAt<Seen>(folder: string, look: (job: ReviewJob) => Promise<Seen>): Promise<Seen | undefined> {
  const seen: Seen[] = [];
  await reviewChange({
    source: { kind: "usual" },
    rules: Rules.parse({ reviews: { roles: [{ name: "deep", reviewer: "model" }] } }),
    roles: [],
    cwd: folder,
    env: {},
    searchPath: process.env["PATH"] ?? "",
    signal: new AbortController().signal,
    tell: () => undefined,
    warn: () => undefined,
    now: () => 0,
    reviewers: {
      model: aReviewer(async (job) => {
        seen.push(await look(job));
        return aFailedReview();
      }),
    },
  });
  return seen[0];
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : decodeText(bytes);
}

test("both sides of the change, all files of the new one, and the history of a path", async () => {
  const checkout = await world.makeCheckout("viewed");
  await checkout.write({ "src/old.ts": problem, "src/deep/new.ts": harmless });
  const seen = await lookedAt(checkout.folder, async (job) => ({
    sides: [textOf(await job.readFile("old", "src/old.ts")), textOf(await job.readFile("new", "src/old.ts"))],
    missing: [
      await job.readFile("old", "src/deep/new.ts"),
      await job.readFile("new", "../x"),
      await job.readFile("new", "src"),
    ],
    all: await job.repository?.listFiles(""),
    below: await job.repository?.listFiles("src/deep"),
    nowhere: [await job.repository?.listFiles("nowhere"), await job.repository?.listFiles("../..")],
    history: (await job.repository?.history("src/old.ts"))?.map(({ subject, author }) => [subject, author]),
  }));
  expect(seen).toEqual({
    sides: [harmless, problem],
    missing: [null, null, null],
    all: { paths: ["README.md", "src/deep/new.ts", "src/old.ts"], isCut: false },
    below: { paths: ["src/deep/new.ts"], isCut: false },
    nowhere: [null, null],
    history: [["Change it", "Ada"]],
  });
});

test("lines that hold a text, as they are in the working tree and nowhere else", async () => {
  const checkout = await world.makeCheckout("searched");
  await checkout.write({
    "src/old.ts": "const needle = 1;\n",
    "src/deep/new.ts": "// NEEDLE\n",
    ".gitattributes": "*.ts -diff\n",
  });
  const search = async (text: string, folder: string): Promise<unknown> =>
    await lookedAt(checkout.folder, async ({ repository }) =>
      repository?.search?.({ text, folder, hitsMax: 5, isSkipped: (path) => path.endsWith(".md") }),
    );
  expect(await search("needle", "")).toEqual({
    hits: [
      { path: "src/deep/new.ts", line: 1, text: "// NEEDLE" },
      { path: "src/old.ts", line: 1, text: "const needle = 1;" },
    ],
    alsoIn: [],
    isCut: false,
  });
  expect(await search("needle", "src/deep")).toMatchObject({ hits: [{ path: "src/deep/new.ts" }] });
  expect(await search("needle", "../..")).toMatchObject({ hits: [] });
  expect(await search("two\nlines", "")).toBeNull();
});

test("a repository without commits has no history", async () => {
  const checkout = await world.makeCheckout("young", { isEmpty: true });
  await checkout.write({ "a.ts": harmless });
  expect(await lookedAt(checkout.folder, async ({ repository }) => await repository?.history("a.ts"))).toEqual([]);
});
