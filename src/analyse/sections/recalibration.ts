import type { CalibrationData, Recalibration } from "../../core/report/report-sections.ts"
import { heldOutRecalibration } from "../../stats/calibration/held-out.ts"
import { amount } from "../../words/number.ts"

const methods = ["temperature", "platt", "isotonic"] as const
const words = { temperature: "temperature scaling", platt: "Platt scaling", isotonic: "isotonic regression" }

/** What each method of recalibration, fitted on half of the samples, does to the answers to the other half. */
export function recalibrations(
  claims: readonly { readonly sampleId: string; readonly confidence: number; readonly correct: number }[],
  seed: number,
): Recalibration[] {
  const confidence = claims.map((claim) => claim.confidence)
  const correct = claims.map((claim) => claim.correct)
  const keys = claims.map((claim) => claim.sampleId)
  return methods.flatMap((method) => {
    const found = heldOutRecalibration(confidence, correct, keys, method, seed)
    if (!found) return []
    const { scaling, change, ...figures } = found
    const slope = scaling?.slope ?? 1
    // Where confidence and correctness are negatively correlated, no temperature helps.
    if (method === "temperature" && !(slope > 1e-6)) return []
    const how = `mean change of the negative log-likelihood on ${found.shownOn} held-out answers: Student t over samples`
    return {
      ...figures,
      change: { status: "known", ...change, n: found.shownOn, method: how },
      ...(method === "temperature" && { temperature: 1 / slope }),
    }
  })
}

/** Temperature scaling alone, as it is shown beside the diagram. */
export function scalingOf(
  recalibrations: readonly Recalibration[],
): NonNullable<CalibrationData["variants"][number]["scaling"]> | null {
  const found = recalibrations.find(({ method }) => method === "temperature")
  if (found?.temperature === undefined) return null
  const { temperature, fittedOn, shownOn, lossBefore, lossAfter, improves } = found
  return { temperature, fittedOn, shownOn, lossBefore, lossAfter, improves }
}

/** Which of them lower the loss on answers that they were not fitted on, or that none does. */
export function recalibrationSentence(recalibrations: readonly Recalibration[]): string {
  const [first] = recalibrations
  if (!first) return ""
  // As many digits as the table has.
  const nats = (loss: number) => (loss < 100 ? loss.toPrecision(3) : amount(loss))
  const each = recalibrations.map(({ method, lossAfter, temperature }) => {
    const name = temperature === undefined ? words[method] : `${words[method]} (T = ${temperature.toFixed(2)})`
    return `${nats(lossAfter)} with ${name}`
  })
  const losses = `Negative log-likelihood on the ${first.shownOn} held-out answers: ${nats(first.lossBefore)} nats as stated, ${each.join(", ")}.`
  return `${losses} ${verdict(recalibrations)}`
}

function verdict(recalibrations: readonly Recalibration[]): string {
  const temperature = recalibrations.find(({ method }) => method === "temperature")
  const helping = recalibrations.filter(({ improves }) => improves)
  if (helping.length === 0)
    return recalibrations.length > 1 ? "None of them lowers it." : `${capital(recalibrations[0])} does not lower it.`
  const best = helping.reduce((least, one) => (one.lossAfter < least.lossAfter ? one : least))
  if (!temperature) return `${capital(best)} lowers it.`
  if (!temperature.improves) return `Temperature scaling does not lower it; ${words[best.method]} does.`
  const clear = temperature.change.status === "known" && (temperature.change.high ?? 0) < 0
  const lowers = `Temperature scaling lowers it${clear ? "" : ", though not significantly"}`
  return best === temperature
    ? `${lowers}; no other method lowers it more.`
    : `${lowers}; ${words[best.method]} lowers it most.`
}

function capital(one: Recalibration | undefined): string {
  const name = words[one?.method ?? "temperature"]
  return name.charAt(0).toUpperCase() + name.slice(1)
}
