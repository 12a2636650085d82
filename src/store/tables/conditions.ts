/**
 * The condition that columns have given values, a parameter each.
 *
 * @example equal("run_id", "variant") // "run_id = ? AND variant = ?"
 */
export function equal(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = ?`).join(" AND ")
}

/** The condition that a column has one of the values of a query. */
export function isIn(column: string, query: string): string {
  return `${column} IN (${query})`
}

/** The condition that a column has none of them. */
export function notIn(column: string, query: string): string {
  return `${column} NOT IN (${query})`
}

/** What belongs to one call of a run. */
export const ofCall = equal("run_id", "variant", "sample_id", "repeat")

/** What a metric measured of a variant. */
export const ofMetric = equal("run_id", "variant", "metric")
