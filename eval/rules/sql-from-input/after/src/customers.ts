import { db } from "./db.js";

export async function customerById(id: string) {
  return await db.query("SELECT id, name FROM customers WHERE id = $1", [id]);
}

export async function customersNamed(term: string) {
  return await db.query(`SELECT id, name FROM customers WHERE name LIKE '%${term}%' ORDER BY name`);
}
