import type { Recalibration } from "../../core/report/report-sections.ts"
import { amount } from "../../words/number.ts"

/** What each method of recalibration is called. */
export const recalibrationNames = {
  temperature: "temperature scaling",
  platt: "Platt scaling",
  isotonic: "isotonic regression",
}

function capital(recalibration: Recalibration | undefined): string {
  const name = recalibrationNames[recalibration?.method ?? "temperature"]
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function improvement(recalibrations: readonly Recalibration[]): string {
  const temperature = recalibrations.find(({ method }) => method === "temperature")
  const helping = recalibrations.filter(({ improves }) => improves)
  if (helping.length === 0)
    return recalibrations.length > 1 ? "None of them lowers it." : `${capital(recalibrations[0])} does not lower it.`
  const best = helping.reduce((least, recalibration) =>
    recalibration.lossAfter < least.lossAfter ? recalibration : least,
  )
  const lowers = ({ change }: Recalibration) =>
    change.status === "known" && (change.high ?? 0) < 0 ? "lowers it" : "lowers it, though not significantly"
  if (!temperature) return `${capital(best)} ${lowers(best)}.`
  if (!temperature.improves)
    return `Temperature scaling does not lower it; ${recalibrationNames[best.method]} ${lowers(best)}.`
  return best === temperature
    ? `Temperature scaling ${lowers(best)}; no other method lowers it more.`
    : `Temperature scaling ${lowers(temperature)}; ${recalibrationNames[best.method]} lowers it most.`
}

/** Which of them lower the loss on answers that they were not fitted on, or that none does. */
export function recalibrationSentence(recalibrations: readonly Recalibration[]): string {
  const [first] = recalibrations
  if (!first) return ""
  // As many digits as the table has.
  const nats = (loss: number) => (loss < 100 ? loss.toPrecision(3) : amount(loss))
  const each = recalibrations.map(({ method, lossAfter, temperature }) => {
    const name =
      temperature === undefined
        ? recalibrationNames[method]
        : `${recalibrationNames[method]} (T = ${temperature.toFixed(2)})`
    return `${nats(lossAfter)} with ${name}`
  })
  const losses = `Negative log-likelihood on the ${first.shownOn} held-out answers: ${nats(first.lossBefore)} nats as stated, ${each.join(", ")}.`
  return `${losses} ${improvement(recalibrations)}`
}
