import { studentQuantile } from "../distributions.ts"
import type { Bounds } from "./proportion-interval.ts"

/** Student's t interval of a mean from its standard error and degrees of freedom. @public */
export function studentInterval(centre: number, error: number, degrees: number, alpha = 0.05): Bounds {
  const half = studentQuantile(1 - alpha / 2, degrees) * error
  return { low: centre - half, high: centre + half }
}
