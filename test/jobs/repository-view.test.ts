import { expect, it } from "vitest";
import { decodeText } from "#core/diff/byte-scan.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { aReviewer, onlyModel } from "#testing/review-makers.ts";
import { openJobWorld } from "./job-world.ts";

/** What a reviewer sees of the repository around a pull, while its job runs. */
async function seenBy<Seen>(look: (job: ReviewJob) => Promise<Seen>): Promise<Seen | undefined> {
  const seen: Seen[] = [];
  const model = aReviewer(async (job) => {
    seen.push(await look(job));
    return { kind: "unreadable", why: "It only looked." };
  });
  const world = await openJobWorld({
    rules: { reviews: { roles: [{ name: "general", reviewer: "model" }] } },
    changes: { "src/app.js": "run();\nsaveOrder();\n", "lib/save.js": "// SAVEORDER\n" },
    dependencies: { reviewers: onlyModel(model) },
  });
  await world.tick();
  await world.job("review");
  return seen[0];
}

function skipNothing(): boolean {
  return false;
}

it("lines that hold a text, at the head and below a folder", async () => {
  const ask = { hitsMax: 10, isSkipped: skipNothing };
  const seen = await seenBy(async ({ repository }) => ({
    all: await repository?.search?.({ ...ask, text: "saveorder", folder: "" }),
    below: await repository?.search?.({ ...ask, text: "saveorder", folder: "src" }),
    outside: await repository?.search?.({ ...ask, text: "saveorder", folder: "../.." }),
    twoLines: await repository?.search?.({ ...ask, text: "a\nb", folder: "" }),
  }));
  expect(seen).toEqual({
    all: {
      hits: [
        { path: "lib/save.js", line: 1, text: "// SAVEORDER" },
        { path: "src/app.js", line: 2, text: "saveOrder();" },
      ],
      alsoIn: [],
      isCut: false,
    },
    below: { hits: [{ path: "src/app.js", line: 2, text: "saveOrder();" }], alsoIn: [], isCut: false },
    outside: { hits: [], alsoIn: [], isCut: false },
    twoLines: null,
  });
});

it("files, folders and the history of a path, and nothing for paths that no repository holds", async () => {
  const seen = await seenBy(async ({ repository, ...job }) => {
    const app = await job.readFile("new", "src/app.js");
    return {
      app: app === null ? null : decodeText(app),
      before: await job.readFile("old", "lib/save.js"),
      outside: [
        await job.readFile("new", "../x"),
        await job.readFile("new", "/etc/passwd"),
        await job.readFile("new", ""),
      ],
      below: await repository?.listFiles("lib"),
      nowhere: await repository?.listFiles("../.."),
      commits: (await repository?.history("lib/save.js"))?.length,
    };
  });
  expect(seen).toEqual({
    app: "run();\nsaveOrder();\n",
    before: null,
    outside: [null, null, null],
    below: { paths: ["lib/save.js"], isCut: false },
    nowhere: null,
    commits: 1,
  });
});
