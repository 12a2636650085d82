/**
 * The condition that columns have given values, a parameter each.
 *
 * @example equal("run_id", "variant") // "run_id = ? AND variant = ?"
 */
export function equal(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = ?`).join(" AND ")
}

/** What belongs to one call of a run. */
export const ofCall = equal("run_id", "variant", "sample_id", "repeat")

/** What a metric measured of a variant. */
export const ofMetric = equal("run_id", "variant", "metric")
