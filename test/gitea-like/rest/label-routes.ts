import { z } from "zod";
import { editPull } from "#forges/sandbox/edit-pull.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { mayWrite, newestOf, type Repository } from "#forges/sandbox/world.ts";
import type { Label } from "#gitea-like/extras.ts";
import { Bare, NotFound } from "#gitea-like/refusals.ts";
import { labelBodies, labelBody } from "#gitea-like/rest/label-body.ts";
import { page } from "#gitea-like/rest/page.ts";
import {
  type Asked,
  created,
  mustFind,
  nothing,
  numberParam,
  ok,
  pullAsked,
  type Route,
  readBody,
  repositoryAsked,
} from "#gitea-like/rest/route.ts";
import { type PullSight, pullsOf, type Sight } from "#gitea-like/sight.ts";

const ofRepository = "/repos/{owner}/{repo}/labels";
const ofIssue = "/repos/{owner}/{repo}/issues/{index}/labels";

const Made = z.object({
  name: z.string().min(1, "Required"),
  color: z.string().regex(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "invalid color"),
  description: z.string().default(""),
});
const Numbers = z.object({ labels: z.array(z.number().int()).default(() => []) });
const Names = z.object({ labels: z.array(z.string()) });

export const labelRoutes: readonly Route[] = [
  {
    method: "GET",
    path: ofRepository,
    name: "list_labels",
    isWrite: false,
    scope: "issue",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      return page(sight, asked, {
        items: known(sight, repository),
        toBody: (label) => labelBody(sight, repository, label),
      });
    },
  },
  {
    method: "POST",
    path: ofRepository,
    name: "create_label",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      if (!mayWrite(repository, sight.asker))
        throw new EndpointRefusal(403, "user should have a permission to write to a repo");
      const { name, color, description } = readBody(Made, asked);
      const made = { name, color: color.replace("#", "").toLowerCase(), description };
      return created(labelBody(sight, repository, sight.extras.labels.create(repository.ref.id, made)));
    },
  },
  {
    method: "GET",
    path: "/orgs/{org}/labels",
    name: "list_organization_labels",
    isWrite: false,
    scope: "organization",
    // Everybody in the sandbox is a person.
    serve() {
      throw new NotFound();
    },
  },
  {
    method: "GET",
    path: ofIssue,
    name: "list_issue_labels",
    isWrite: false,
    scope: "issue",
    async serve(sight, asked) {
      const { entry, state } = await pullAsked(sight, asked);
      return ok(labelBodies(sight, entry.repository, state.labels));
    },
  },
  {
    method: "POST",
    path: ofIssue,
    name: "add_labels",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked);
      const { labels } = newestOf(pull.entry);
      const added = readLabels(pull, asked).map(({ name }) => name);
      return ok(await stick(pull, [...labels, ...added.filter((name) => !labels.includes(name))]));
    },
  },
  {
    method: "DELETE",
    path: `${ofIssue}/{id}`,
    name: "remove_label",
    isWrite: true,
    scope: "issue",
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked);
      mustWrite(pull, new Bare(403));
      const { name } = mustFind(known(sight, pull.entry.repository), numberParam(asked, "id"));
      await stick(
        pull,
        newestOf(pull.entry).labels.filter((label) => label !== name),
      );
      return nothing;
    },
  },
];

/** Those that were made, and those that somebody stuck to a pull by hand. */
function known(sight: Sight, repository: Repository): readonly Label[] {
  const { labels } = sight.extras;
  for (const { state } of pullsOf(sight, repository)) {
    for (const name of state.labels) labels.named(repository.ref.id, name);
  }
  return labels.all(repository.ref.id);
}

/** What nobody knows is left out without a word. Numbers or names, and before 1.22 numbers alone. */
function readLabels(pull: PullSight, asked: Asked): readonly Label[] {
  const { sight, entry } = pull;
  mustWrite(pull, new EndpointRefusal(403, "write permission is required"));
  const names = sight.version.isFrom(22) ? Names.safeParse(asked.body).data?.labels : undefined;
  const all = known(sight, entry.repository);
  if (names !== undefined) return all.filter(({ name }) => names.includes(name));
  const { labels } = readBody(Numbers, asked);
  return all.filter(({ id }) => labels.includes(id));
}

function mustWrite({ sight, entry }: PullSight, refusal: EndpointRefusal): void {
  if (!mayWrite(entry.repository, sight.asker)) throw refusal;
}

async function stick({ sight, entry }: PullSight, labels: readonly string[]): Promise<readonly object[]> {
  await editPull(sight.world, entry, { by: sight.asker, edit: { labels } });
  return labelBodies(sight, entry.repository, labels);
}
