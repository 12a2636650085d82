import type { Unscored } from "../core/metric/metric.ts"
import { isUnscoredCode } from "../core/metric/unscored-code.ts"

/**
 * Code and reason of an unscored row as they are stored. Rows of older stores and archives have no code: theirs is the first
 * word of the reason where that is one of evalkit's own, as all its metrics wrote it then.
 */
export function decodeReason(code: string | null, reason: string): Pick<Unscored, "code" | "reason"> {
  const known = code ?? reason.split(":", 1)[0] ?? ""
  return { code: isUnscoredCode(known) ? known : "custom", reason }
}
