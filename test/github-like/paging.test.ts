import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const comments = "/repos/mia/tools/issues/1/comments";

function ofPull(inner: string): string {
  return `{ repository(owner: "mia", name: "tools") { pullRequest(number: 1) { ${inner} } } }`;
}

async function say(stage: Stage, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) await stage.ada.comment(stage.pull, `Comment ${index}.`);
}

function linkOf(link: string | null, rel: string): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${rel}"`).exec(link ?? "")?.[1];
}

describe("a list of REST", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.github.close());

  it("has thirty entries a page unless asked otherwise, and a hundred at most", async () => {
    await say(stage, 120);
    expect((await stage.ask("GET", comments)).body).toHaveLength(30);
    expect((await stage.ask("GET", `${comments}?per_page=7`)).body).toHaveLength(7);
    expect((await stage.ask("GET", `${comments}?per_page=100`)).body).toHaveLength(100);
  });

  it("is complete for whoever follows its links", async () => {
    await say(stage, 25);
    const bodies: string[] = [];
    let path: string | undefined = `${comments}?per_page=10`;
    let pages = 0;
    while (path !== undefined) {
      const { body, headers } = await stage.ask("GET", path);
      bodies.push(...body.map((comment: { body: string }) => comment.body));
      path = linkOf(headers.get("link"), "next")?.slice(stage.github.url.length);
      pages++;
    }
    expect([bodies.length, new Set(bodies).size, pages]).toEqual([25, 25, 3]);
  });

  it("links to the last page and back to the first, and has no links where there is one page", async () => {
    expect((await stage.ask("GET", comments)).headers.get("link")).toBeNull();
    await say(stage, 25);
    const { headers } = await stage.ask("GET", `${comments}?per_page=10&page=2`);
    const link = headers.get("link");
    const pageOf = (rel: string) => new URL(linkOf(link, rel) ?? "http://none").searchParams.get("page");
    expect(["prev", "next", "last", "first"].map(pageOf)).toEqual(["1", "3", "3", "1"]);
  });

  it("knows nothing of parameters that GitHub does not have", async () => {
    await stage.ask("GET", `${comments}?pagesize=3`);
    expect(stage.github.violations.join()).toContain("there is no parameter pagesize");
  });
});

describe("a connection of GraphQL", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.github.close());

  async function pageOf(args: string) {
    const list = `comments(${args}) { totalCount nodes { body } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } }`;
    const { body } = await stage.graphql(ofPull(list));
    const { nodes, pageInfo, totalCount } = body.data.repository.pullRequest.comments;
    return { numbers: nodes.map((node: { body: string }) => Number(/\d+/.exec(node.body)?.[0])), pageInfo, totalCount };
  }

  it("is walked forwards by its cursors", async () => {
    await say(stage, 5);
    const first = await pageOf("first: 2");
    expect([first.numbers, first.totalCount, first.pageInfo.hasNextPage]).toEqual([[1, 2], 5, true]);
    const second = await pageOf(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect([second.numbers, second.pageInfo.hasPreviousPage]).toEqual([[3, 4], true]);
    const third = await pageOf(`first: 2, after: "${second.pageInfo.endCursor}"`);
    expect([third.numbers, third.pageInfo.hasNextPage]).toEqual([[5], false]);
  });

  it("is walked backwards as well", async () => {
    await say(stage, 5);
    const last = await pageOf("last: 2");
    expect([last.numbers, last.pageInfo.hasPreviousPage]).toEqual([[4, 5], true]);
    const before = await pageOf(`last: 2, before: "${last.pageInfo.startCursor}"`);
    expect(before.numbers).toEqual([2, 3]);
  });

  it("loses nothing when what a cursor stands on is deleted", async () => {
    await say(stage, 4);
    const first = await pageOf("first: 2");
    const [, second] = stage.sandbox.look(stage.pull).comments;
    if (second === undefined) throw new Error("no comment");
    await stage.ada.deleteComment(stage.pull, second.id);
    expect((await pageOf(`first: 2, after: "${first.pageInfo.endCursor}"`)).numbers).toEqual([3, 4]);
  });

  it("refuses a cursor that is none", async () => {
    const { body } = await stage.graphql(ofPull(`comments(first: 1, after: "x") { nodes { id } }`));
    expect(body.errors[0].message).toContain("valid cursor");
  });

  it("is cut shorter than asked for where the sandbox has tiny pages", async () => {
    const tiny = await openStage({ pageSize: 3 });
    await say(tiny, 5);
    const { body } = await tiny.graphql(ofPull("comments(first: 100) { nodes { id } pageInfo { hasNextPage } }"));
    const { nodes, pageInfo } = body.data.repository.pullRequest.comments;
    expect([nodes.length, pageInfo.hasNextPage]).toEqual([3, true]);
    await tiny.github.close();
  });
});
