import type { Answer } from "../core/generation.ts"
import type { Provider } from "../core/provider.ts"
import type { Check } from "../core/report/report.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { RunStage } from "../run/run-stage.ts"
import { judgingWords } from "../wording/judging.ts"

const kind = "judge_differences"

/** Keeps which parameters a model that metrics ask was asked without, each once, so that a resumed run knows it, too. */
export function noteJudgeDifferences({
  store,
  record,
  control,
}: Pick<RunStage, "store" | "record" | "control">): (provider: Provider, answer: Answer) => void {
  const seen = new Set<string>()
  return ({ label }, { differences = [] }) => {
    for (const { parameter } of differences) {
      if (seen.has(`${label} ${parameter}`)) continue
      seen.add(`${label} ${parameter}`)
      const at = new Date(control.clock.wall()).toISOString()
      store.saveEvent(record.id, { at, kind, data: { judge: label, parameter } })
    }
  }
}

/** Only where it happened: which judges and other models of the metrics were asked without what the config says, each once. */
export function judgesAskedAsMeant(store: Pick<RunStore, "events">, runId: string): Check[] {
  const byJudge = new Map<string, Set<string>>()
  for (const event of store.events(runId)) {
    const { judge, parameter } = event.data
    if (event.kind !== kind || typeof judge !== "string" || typeof parameter !== "string") continue
    byJudge.set(judge, (byJudge.get(judge) ?? new Set()).add(parameter))
  }
  if (byJudge.size === 0) return []
  const messages = [...byJudge].map(([judge, parameters]) => judgingWords.without(judge, [...parameters].join(", ")))
  return [{ name: judgingWords.asMeant, status: "failed", message: messages.join(" · ") }]
}
