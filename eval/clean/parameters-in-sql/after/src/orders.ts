import { db } from "./db.js";

const ORDER_COLUMNS = "id, state, total";

export async function ordersIn(states: readonly string[]) {
  const text = `SELECT ${ORDER_COLUMNS} FROM orders WHERE state = ANY($1) ORDER BY id`;
  return await db.query(text, [states]);
}
