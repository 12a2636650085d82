import type { RunReport } from "../../src/core/report/report.ts"
import { slicings } from "../view-model/sections.ts"
import { movedSlices } from "../view-model/slices.ts"
import { withoutClass } from "../wording/failure-reasons.ts"
import { paragraph, type Screen } from "./style.ts"

/** Sentences that have room. */
const maxSentences = 2

/** Which slices moved; where none did, the first line of what broke. */
export function sliceLines(report: RunReport, screen: Screen): string[] {
  const sections = slicings(report)
  const moved = sections.flatMap((section) => {
    if (section.kind === "what_broke") return []
    const candidates = new Set(movedSlices(section.data).map(({ change }) => change.candidate))
    // They begin with what moved: a sentence for each candidate and direction.
    return section.sentences.slice(0, Math.min(maxSentences, candidates.size))
  })
  const broke = sections.flatMap(({ kind, sentences }) =>
    kind === "what_broke" ? sentences.slice(0, 1).map(withoutClass) : [],
  )
  const layout = { margin: 12, first: ` ${screen.dim("slices ")}   `, next: " ".repeat(11), limit: 1000 }
  return (moved.length > 0 ? moved : broke).flatMap((sentence) => paragraph(screen, sentence, layout))
}
