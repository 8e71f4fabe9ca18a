import { z } from "zod";
import { time } from "#forge-like/time.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { permissionIn, type Repository } from "#forges/sandbox/world.ts";
import type { Hook } from "#gitea-like/extras.ts";
import { page } from "#gitea-like/rest/page.ts";
import {
  type Asked,
  created,
  mustFind,
  nothing,
  numberParam,
  ok,
  type Route,
  readBody,
  repositoryAsked,
} from "#gitea-like/rest/route.ts";
import type { Sight } from "#gitea-like/sight.ts";

const all = "/repos/{owner}/{repo}/hooks";
const one = `${all}/{id}`;

const Change = z.object({
  config: z.record(z.string(), z.string()).optional(),
  events: z.array(z.string()).default(() => []),
  branch_filter: z.string().default(""),
  authorization_header: z.string().default(""),
  active: z.boolean().optional(),
});
const Made = Change.extend({ type: z.string().min(1, "Required"), config: z.record(z.string(), z.string()) });

/** For admins of the repository alone. The secret goes in and never comes out. */
export const hookRoutes: readonly Route[] = [
  {
    method: "GET",
    path: all,
    name: "list_hooks",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const { hooks } = await hooksAsked(sight, asked);
      return page(sight, asked, { items: hooks, toBody: (hook) => hookBody(sight, hook), hasLinks: true });
    },
  },
  {
    method: "POST",
    path: all,
    name: "create_hook",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      const { hooks, repository } = await hooksAsked(sight, asked);
      const made = readBody(Made, asked);
      checkConfig(made.config);
      const hook: Hook = {
        id: Number(sight.world.nextId()),
        type: made.type,
        by: sight.asker,
        config: made.config,
        events: expanded(made.events),
        branchFilter: made.branch_filter,
        authorizationHeader: made.authorization_header,
        isActive: made.active ?? false,
        createdAt: sight.date,
        updatedAt: sight.date,
      };
      sight.extras.hooks.set(repository.ref.id, [...hooks, hook]);
      return created(hookBody(sight, hook));
    },
  },
  {
    method: "GET",
    path: one,
    name: "get_hook",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const { hooks } = await hooksAsked(sight, asked);
      return ok(hookBody(sight, mustFind(hooks, numberParam(asked, "id"))));
    },
  },
  {
    method: "PATCH",
    path: one,
    name: "edit_hook",
    isWrite: true,
    scope: "repository",
    // What is not said again is set to its default, but for the configuration, and a secret stays what it was.
    async serve(sight, asked) {
      const { hooks, repository } = await hooksAsked(sight, asked);
      const before = mustFind(hooks, numberParam(asked, "id"));
      const { config = {}, events, branch_filter, authorization_header, active } = readBody(Change, asked);
      const { secret: _, ...kept } = config;
      const hook: Hook = {
        ...before,
        config: { ...before.config, ...kept },
        events: expanded(events),
        branchFilter: branch_filter,
        authorizationHeader: authorization_header,
        isActive: active ?? before.isActive,
        updatedAt: sight.date,
      };
      const next = hooks.map((each) => (each === before ? hook : each));
      sight.extras.hooks.set(repository.ref.id, next);
      return ok(hookBody(sight, hook));
    },
  },
  {
    method: "DELETE",
    path: one,
    name: "delete_hook",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      const { hooks, repository } = await hooksAsked(sight, asked);
      const gone = mustFind(hooks, numberParam(asked, "id"));
      const left = hooks.filter((hook) => hook !== gone);
      sight.extras.hooks.set(repository.ref.id, left);
      return nothing;
    },
  },
];

async function hooksAsked(sight: Sight, asked: Asked): Promise<{ repository: Repository; hooks: readonly Hook[] }> {
  const repository = await repositoryAsked(sight, asked);
  if (permissionIn(repository, sight.asker) !== "admin") {
    throw new EndpointRefusal(403, "user should be an owner or a collaborator with admin write of a repository");
  }
  return { repository, hooks: sight.extras.hooks.get(repository.ref.id) ?? [] };
}

function checkConfig(config: Hook["config"]): void {
  for (const name of ["url", "content_type"]) {
    if (config[name] === undefined) throw new EndpointRefusal(422, `Missing config option: ${name}`);
  }
  if (!["json", "form"].includes(config["content_type"] ?? "")) throw new EndpointRefusal(422, "Invalid content type");
  if (!URL.canParse(config["url"] ?? "")) throw new EndpointRefusal(422, "Invalid url");
}

/** `pull_request` is everything about pulls. Reviews have one name for all kinds; what nobody knows is left out. */
function expanded(events: readonly string[]): readonly string[] {
  const wanted = events.length === 0 ? ["push"] : events;
  const hasAll = wanted.includes("pull_request");
  const isOn = (event: string): boolean =>
    event === "pull_request" ? hasAll || wanted.includes("pull_request_only") : hasAll || wanted.includes(event);
  return [...plainEvents.filter((event) => wanted.includes(event)), ...pullEvents.filter(isOn)];
}

const plainEvents = ["create", "delete", "fork", "push", "issue_comment", "repository", "release", "status"] as const;
const pullEvents = [
  "pull_request",
  "pull_request_assign",
  "pull_request_label",
  "pull_request_milestone",
  "pull_request_comment",
  "pull_request_review",
  "pull_request_sync",
  "pull_request_review_request",
] as const;

function hookBody(sight: Sight, hook: Hook): object {
  const { id, type, branchFilter, config, events, isActive, createdAt, updatedAt } = hook;
  return {
    id,
    ...(sight.version.isFrom(26) && { name: "" }),
    type,
    branch_filter: branchFilter,
    config: { url: config["url"], content_type: config["content_type"] },
    events,
    authorization_header: sight.version.isFrom(26) ? "" : hook.authorizationHeader,
    active: isActive,
    updated_at: time(updatedAt),
    created_at: time(createdAt),
  };
}
