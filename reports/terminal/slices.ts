import type { RunReport } from "../../src/core/report/report.ts"
import { slicesOfCandidate } from "../../src/wording/sections/slices.ts"
import { decidingComparison } from "../view-model/comparisons.ts"
import { sectionsOfKind } from "../view-model/sections.ts"
import { movedSlices } from "../view-model/slices.ts"
import { withoutClass } from "../wording/failure-reasons.ts"
import { paragraph, type Screen } from "./style.ts"

/** Sentences that have room. */
const maxSentences = 2

/** Which slices moved; where none did, the largest drops of the answer's candidate, and the first line of what broke. */
export function sliceLines(report: RunReport, screen: Screen): string[] {
  const [slices] = sectionsOfKind(report, "slices")
  const [regressions] = sectionsOfKind(report, "what_broke")
  const moved = new Set(slices ? movedSlices(slices.data).map(({ change }) => change.candidate) : [])
  const about = decidingComparison(report)?.candidate
  // They begin with what moved: a sentence for each candidate and direction.
  const sentences =
    moved.size > 0
      ? slices?.sentences.slice(0, Math.min(maxSentences, moved.size))
      : slices && about !== undefined && slicesOfCandidate(slices.data, about, report.metrics).drops
  const line = (label: string) => (sentence: string) =>
    paragraph(screen, sentence, { margin: 12, first: ` ${screen.dim(label)}`, next: " ".repeat(11), limit: 1000 })
  return [
    ...(sentences || []).flatMap(line("slices    ")),
    ...(moved.size > 0 ? [] : (regressions?.sentences ?? []).slice(0, 1).map(withoutClass).flatMap(line("broke     "))),
  ]
}
