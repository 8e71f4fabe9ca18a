import { describe, expect, it } from "vitest";
import { sqlInjection } from "#reviewers/rules/code/sql-injection.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("sql-injection", () => {
  it.each([
    ["a.ts", "db.query(`SELECT * FROM users WHERE id = ${id}`);"],
    ["a.ts", 'db.query("SELECT * FROM users WHERE name = \'" + name + "\'");'],
    ["a.ts", "await knex.raw(`UPDATE users SET name = '${req.body.name}'`);"],
    ["a.py", 'cursor.execute(f"SELECT * FROM users WHERE id = {user_id}")'],
    ["a.py", 'cursor.execute("DELETE FROM users WHERE id = %s" % user_id)'],
    ["a.py", "cursor.execute('SELECT a FROM b WHERE c = {}'.format(value))"],
  ])("finds an injection in %s: %s", async (path, line) => {
    expect(await placesOf(sqlInjection, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["a.ts", 'db.query("SELECT * FROM users WHERE id = $1", [id]);'],
    ["a.ts", "sql`SELECT * FROM users WHERE id = ${id}`.execute(db);"],
    ["a.ts", "db.query(sql`SELECT * FROM users WHERE id = ${id}`);"],
    ["a.ts", "db.query(`SELECT * FROM ${tableName} WHERE id = $1`, [id]);"],
    ["a.ts", "db.query(`SELECT ${COLUMNS} FROM users`);"],
    ["a.ts", "db.query(`SELECT a FROM b WHERE c IN (${placeholders.join(', ')})`);"],
    ["a.ts", "router.query(`select a colour ${name}`);"],
    ["a.test.ts", "db.query(`SELECT * FROM users WHERE id = ${id}`);"],
    ["a.py", 'cursor.execute("SELECT * FROM users WHERE id = %s", (user_id,))'],
    ["a.py", 'log.info(f"SELECT * FROM users WHERE id = {user_id}")'],
    ["migrations/1.py", 'op.execute(f"UPDATE users SET a = {b}")'],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(sqlInjection, [newFile(path, line)])).toEqual([]);
  });
});
