import type { JsonValue } from "../../../src/core/json.ts"

/** Whether a section's data is an object with a list of objects under a name. */
export function hasList(data: JsonValue, name: string): boolean {
  if (data === null || typeof data !== "object" || Array.isArray(data)) return false
  const list = (data as { readonly [key: string]: JsonValue })[name]
  return Array.isArray(list) && list.every((one) => one !== null && typeof one === "object")
}

/** Whether a section's data is a plain table: titled columns, and rows that are lists. */
export function isTable(data: JsonValue): boolean {
  if (!hasList(data, "columns") || !hasList(data, "rows")) return false
  return (data as { readonly rows: readonly JsonValue[] }).rows.every((row) => Array.isArray(row))
}
