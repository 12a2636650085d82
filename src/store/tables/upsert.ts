/**
 * The statement that inserts a row, or puts it in the place of the one with the same key.
 *
 * @example upsert("reports", ["run_id"], ["data"]) // "INSERT INTO reports (run_id, data) VALUES (?, ?) ON CONFLICT (run_id) DO UPDATE SET data = excluded.data"
 */
export function upsert(table: string, key: readonly string[], values: readonly string[]): string {
  const columns = [...key, ...values]
  const places = columns.map(() => "?").join(", ")
  const updates = values.map((name) => `${name} = excluded.${name}`).join(", ")
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${updates}`
}

/** The statement that inserts a row, and leaves the one with the same key as it is. Needs no right to change anything. */
export function insertIfNew(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`
}
