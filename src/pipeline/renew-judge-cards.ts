import { judgeCardSection } from "../analyse/sections/judge-card.ts"
import type { JudgeCardData } from "../core/report/report-sections.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"

/** Derives the judge cards of a run's report anew, from the labels that the run has now; its other figures do not depend on labels. */
export function renewJudgeCards(store: RunStore, record: RunRecord): void {
  const report = store.report(record.id)
  if (!report) return
  const labels = store.labels(record.id)
  const cards = record.metrics.flatMap(({ name: metric, range }) => {
    const variants = record.variants.map(({ name, model }) => ({
      name,
      model,
      rows: [...store.rows(record.id, name, metric)],
    }))
    const notes = report.sections.flatMap(({ kind, data }) =>
      kind === "judge_card" ? [(data as unknown as JudgeCardData).note] : [],
    )
    const { seed, alpha } = record
    const card = judgeCardSection(variants, { metric, range, labels, seed, alpha })
    if (!card) return []
    const note =
      notes[report.sections.filter(({ kind }) => kind === "judge_card").findIndex(({ title }) => title === card.title)]
    return [
      note === undefined ? card : (judgeCardSection(variants, { metric, note, range, labels, seed, alpha }) ?? card),
    ]
  })
  const sections = report.sections.map(
    (section) => (section.kind === "judge_card" && cards.find(({ title }) => title === section.title)) || section,
  )
  store.saveReport(record.id, { ...report, sections })
}
