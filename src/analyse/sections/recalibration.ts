import type { CalibrationData, Recalibration } from "../../core/report/report-sections.ts"
import { heldOutRecalibration } from "../../stats/calibration/held-out.ts"
import { methods } from "../../wording/methods.ts"

const recalibrationMethods = ["temperature", "platt", "isotonic"] as const
/** What each method of recalibration, fitted on half of the samples, does to the answers to the other half. */
export function recalibrations(
  claims: readonly { readonly sampleId: string; readonly confidence: number; readonly correct: number }[],
  seed: number,
): Recalibration[] {
  const confidence = claims.map((claim) => claim.confidence)
  const correct = claims.map((claim) => claim.correct)
  const keys = claims.map((claim) => claim.sampleId)
  return recalibrationMethods.flatMap((method) => {
    const result = heldOutRecalibration(confidence, correct, keys, method, seed)
    if (!result) return []
    const { scaling, change, ...figures } = result
    const slope = scaling?.slope ?? 1
    // Where confidence and correctness are negatively correlated, no temperature helps.
    if (method === "temperature" && !(slope > 1e-6)) return []
    const how = methods.heldOutChange(result.shownOn)
    return {
      ...figures,
      change: { status: "known", ...change, n: result.shownOn, method: how },
      ...(method === "temperature" && { temperature: 1 / slope }),
    }
  })
}

/** Temperature scaling alone, as it is shown beside the diagram. */
export function scalingOf(
  recalibrations: readonly Recalibration[],
): NonNullable<CalibrationData["variants"][number]["scaling"]> | null {
  const recalibration = recalibrations.find(({ method }) => method === "temperature")
  if (recalibration?.temperature === undefined) return null
  const { temperature, fittedOn, shownOn, lossBefore, lossAfter, improves } = recalibration
  return { temperature, fittedOn, shownOn, lossBefore, lossAfter, improves }
}
