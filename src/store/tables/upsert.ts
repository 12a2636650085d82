/**
 * The statement that inserts a row, or puts it in the place of the one with the same key.
 *
 * @example upsert("reports", ["run_id"], ["data"]) // "INSERT INTO reports (run_id, data) VALUES (?, ?) ON CONFLICT (run_id) DO UPDATE SET data = excluded.data"
 */
export function upsert(table: string, key: readonly string[], values: readonly string[]): string {
  const updates = values.map((name) => `${name} = excluded.${name}`).join(", ")
  return `INSERT INTO ${into(table, [...key, ...values])} ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${updates}`
}

/** The statement that inserts a row, and leaves the one with the same key as it is. Needs no right to change anything. */
export function insertIfNew(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${into(table, columns)} ON CONFLICT DO NOTHING`
}

/** The statement that inserts a row whose key is new. */
export function insertRow(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${into(table, columns)}`
}

function into(table: string, columns: readonly string[]): string {
  return `${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
}
