export async function importRows(rows, store) {
  for (const row of rows) {
    try {
      await store.insert(parseRow(row));
    } catch (error) {}
  }
}

function parseRow(row) {
  const [name, amount] = row.split(";");
  return { name, amount: Number(amount) };
}
