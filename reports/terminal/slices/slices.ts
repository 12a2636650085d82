import type { RunReport } from "../../../src/core/report/report.ts"
import { plainText } from "../../../src/words/text.ts"
import { withoutClass } from "../../wording/failure-reasons.ts"
import { slicings } from "../../wording/placed-sections.ts"
import { movedSlices } from "../../wording/slice-tables.ts"
import { type TerminalOptions, type TerminalStyle, wrap } from "../style.ts"

/** Sentences that have room. */
const mostSentences = 2

/** Which slices moved; where none did, the first line of what broke. */
export function sliceLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const sections = slicings(report)
  const moved = sections.flatMap((section) => {
    if (section.kind === "what_broke") return []
    const candidates = new Set(movedSlices(section.data).map(({ change }) => change.candidate))
    // They begin with what moved: a sentence for each candidate and direction.
    return section.sentences.slice(0, Math.min(mostSentences, candidates.size))
  })
  const broke = sections.flatMap(({ kind, sentences }) =>
    kind === "what_broke" ? sentences.slice(0, 1).map(withoutClass) : [],
  )
  return (moved.length > 0 ? moved : broke).flatMap((sentence) =>
    wrap(style.text(plainText(sentence, 1000)), options.columns - 12, options.unicode).map(
      (line, i) => ` ${i === 0 ? style.dim("slices ") : "       "}   ${line}`,
    ),
  )
}
