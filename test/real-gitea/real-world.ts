import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { remarks } from "#contract/forge/scene.ts";
import type { ForgeWorld } from "#contract/forge/world.ts";
import { RepositoryId } from "#core/model/ids.ts";
import { type Instant, instant, secondMs } from "#core/model/instant.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { createRealGit } from "#git/real-git.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";
import { type GiteaPeople, giteaPeople } from "./gitea-people.ts";
import { findServer, type GiteaTold } from "./gitea-told.ts";
import { openProxy, type ProxiedRequest } from "./meddling-proxy.ts";
import { pathOf, realPerson } from "./real-person.ts";
import { openRepository, type RealRepository } from "./real-repository.ts";
import { readThreads } from "./real-threads.ts";
import { readTruth } from "./real-truth.ts";

/** A real server counts whole seconds: whatever else is waited for, that is how long it takes to be told apart. */
const passMsMax = 1_100;

const Repository = z.object({ id: z.number(), full_name: z.string() });
const Reviews = z.array(z.object({ id: z.number(), state: z.string(), comments_count: z.number() }));
const Head = z.object({ head: z.object({ sha: z.string() }) });

const permissions = { admin: "admin", write: "write", read: "read" } as const;

/** A world on the real server of this version: its people use the API, the pages and git, each with their own token. */
export async function realWorld(version: string): Promise<ForgeWorld> {
  return (await openRealWorld(version)).world;
}

export interface OpenedRealWorld {
  readonly world: ForgeWorld;
  readonly told: GiteaTold;
  readonly people: GiteaPeople;
  /** Everything that clients have asked of the API. */
  readonly requests: readonly ProxiedRequest[];
}

/** With what lies behind it, for stories. */
export async function openRealWorld(version: string): Promise<OpenedRealWorld> {
  const told = await findServer(version);
  const people = peopleOf(told);
  const folder = await mkdtemp(join(tmpdir(), "drover-real-world-"));
  const repositories = new Map<string, RealRepository>();
  const tokens = new Map<string, string>();
  const proxy = await openProxy({
    to: told.url,
    accountOf: (token) => {
      const login = tokens.get(token);
      return login === undefined ? undefined : accounts.get(login);
    },
  });
  const accounts = new Map<string, Awaited<ReturnType<GiteaPeople["add"]>>["account"]>();
  const clock = latchedClock();
  const repositoryOf = (ref: RepositoryRef): RealRepository => {
    const found = repositories.get(ref.id);
    if (found === undefined) throw new Error(`${ref.name} is not of this world`);
    return found;
  };
  const git = await createRealGit({
    folder: join(folder, "git"),
    searchPath: process.env["PATH"] ?? "",
    protocols: ["http"],
    env: {},
  });
  const world: ForgeWorld = {
    git,
    addAccount: async ({ login }) => {
      const { account, token } = await people.add(login);
      tokens.set(token, login);
      accounts.set(login, account);
      return account;
    },
    createRepository: async ({ name, by, files }) => {
      const owner = people.personOf(by);
      const own = `${name.slice(name.indexOf("/") + 1)}-${randomBytes(5).toString("hex")}`;
      const made = Repository.parse(
        await owner.api.send("POST", "/user/repos", { name: own, private: true, default_branch: "main" }),
      );
      const ref = { id: RepositoryId.parse(String(made.id)), name: made.full_name };
      const place = { told, ref, owner, folder: join(folder, `${own}.git`) };
      const repository = await openRepository(place);
      repositories.set(ref.id, repository);
      await repository.push({ repository: ref, branch: "main", changes: files, message: "Begin", by: owner });
      return ref;
    },
    setPermission: async ({ repository, account, permission }) => {
      const path = `/repos/${repository.name}/collaborators/${account.login}`;
      if (permission === "none") await people.admin.send("DELETE", path);
      else await people.admin.send("PUT", path, { permission: permissions[permission] });
    },
    as: (account) =>
      clock.latching(
        realPerson({
          url: told.url,
          person: people.personOf(account),
          repositoryOf,
          placeOf: async (pull, thread) => {
            const reviews = Reviews.parse(await people.admin.list(`${pathOf(pull)}/reviews`));
            const threads = await readThreads(people.admin, pull, reviews);
            const found = threads.map(({ places }) => places.get(thread)).find((place) => place !== undefined);
            if (found === undefined) throw new Error(`there is no thread ${thread}`);
            return found;
          },
        }),
      ),
    clientOf: (account, machine = clock) =>
      clock.latching<Forge>(
        createGiteaClient({ url: proxy.url, token: people.personOf(account).token, clock: machine }),
      ),
    look: (pull) => readTruth(people.admin, pull),
    now: clock.now,
    pass: async (ms) => {
      // Its clock goes by itself: who wants a moment alone has it already.
      if (ms > secondMs) await sleep(Math.min(ms, passMsMax));
      clock.latch();
    },
    settle: async (pull) => {
      await repositoryOf(pull.repository).settle(pull);
      clock.latch();
    },
    meddle: (source) => proxy.meddle(source),
    // With an event that it does not know, the server takes the review in and does not submit it.
    leavePendingReview: async ({ pull, by }) => {
      const { api } = people.personOf(by);
      const { head } = Head.parse(await api.get(pathOf(pull)));
      const { path, body, lines } = remarks.context;
      const comments = [{ path, body, new_position: lines.last }];
      await api.send("POST", `${pathOf(pull)}/reviews`, {
        event: "PENDING",
        body: "Half.",
        commit_id: head.sha,
        comments,
      });
    },
    close: async () => {
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return { world, told, people, requests: proxy.requests };
}

const known = new Map<string, GiteaPeople>();

/** Shared by all worlds of a process: everybody needs one token alone. */
function peopleOf(told: GiteaTold): GiteaPeople {
  const people = known.get(told.url) ?? giteaPeople(told);
  known.set(told.url, people);
  return people;
}

interface LatchedClock extends Clock {
  readonly now: () => Instant;
  latch(): void;
  /** The same object, with the time going on whenever a call of it has come to its end. */
  latching<Thing extends object>(thing: Thing): Thing;
}

/**
 * The machine's clock, which is the server's as well, read when somebody has done something. In between it stands still,
 * so that a test can say to the millisecond when the client was told to come again.
 */
function latchedClock(): LatchedClock {
  let now = instant(Date.now());
  const latch = (): void => {
    now = instant(Date.now());
  };
  return {
    now: () => now,
    sleep: async () => undefined,
    latch,
    latching: (thing) =>
      new Proxy(thing, {
        get: (target, name, receiver) => {
          const found: unknown = Reflect.get(target, name, receiver);
          if (typeof found !== "function") return found;
          return (...given: readonly unknown[]): unknown => {
            const answer: unknown = Reflect.apply(found, target, given);
            return answer instanceof Promise ? answer.finally(latch) : answer;
          };
        },
      }),
  };
}
