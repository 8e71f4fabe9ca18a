import { inject } from "vitest";
import { memoryWorld } from "./memory-world.ts";
import { embedded, postgres, type SqlDatabase } from "./sql-databases.ts";
import { sqlWorld } from "./sql-world.ts";
import type { World, WorldOptions } from "./world.ts";

/** One implementation of the port. */
interface Kind extends Pick<SqlDatabase, "name" | "need"> {
  readonly open: (options?: WorldOptions) => Promise<World>;
  /** How many examples of a property it is shown: a database takes its time over each. */
  readonly runs: number;
  /** How many entries it is given in a race. */
  readonly races: number;
}

const inMemory: Kind = { name: "the queue in memory", need: () => undefined, open: memoryWorld, runs: 500, races: 300 };

const onSql: readonly Kind[] = [
  { ...durable(embedded), runs: 10, races: 60 },
  { ...durable(postgres), runs: 15, races: 300 },
];

/** One suite for all implementations of the port: in memory in the quick project, on SQL in that of databases. */
export const worlds: readonly Kind[] = inject("mayOpenDatabases") ? onSql : [inMemory];

function durable({ name, need, open }: SqlDatabase): Pick<Kind, "name" | "need" | "open"> {
  return { name: `the queue on ${name}`, need, open: async (options) => sqlWorld(await open(), options) };
}
