import { sql } from "kysely";
import { openEmbedded } from "#database/open-embedded.ts";

/** Writes row after row from a given number on until somebody kills it, and tells each number that was answered. */
const [folder = "", first = "1"] = process.argv.slice(2);
const database = await openEmbedded({ folder });
await sql`create table if not exists sheep (number integer primary key, wool text not null)`.execute(database.db);
for (let number = Number(first); ; number += 1) {
  const wool = "wool ".repeat((number * 7919) % 997);
  await sql`insert into sheep values (${number}, ${wool})`.execute(database.db);
  process.stdout.write(`${number}\n`);
  if (number % 20 === 0) await sql`checkpoint`.execute(database.db);
}
