import type { MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../src/core/report/table-data.ts"
import { byText } from "../../src/stats/order.ts"
import { detectorSentence } from "../../src/words/metrics/detectors.ts"
import { reportSection, scoredVariants } from "../report-section.ts"
import type { Detection } from "./detection.ts"
import { detectionOf, meanFigure, perThousandTokensFigure, precisionFigure, recallFigure } from "./detector-figures.ts"
import type { DetectorRow } from "./detector-row.ts"

/** What a detector states about itself. */
interface DetectorFacts {
  readonly name: string
  readonly figure: "rate" | "score"
  readonly cost: string
  readonly blindSpot: string
  value(row: DetectorRow): number
}

/** The report's part of a detector: its figure per variant and group, and how reliable the detector itself is. */
export function detectorSection(
  detector: DetectorFacts,
  variants: readonly MetricRowsOfVariant[],
  level: SummaryLevel = {},
): ReportSection | null {
  const lines = scoredVariants<DetectorRow>(variants).flatMap(({ variant, entries }) =>
    groupsOf(entries).map(([group, members]) => lineOf(detector, { variant, group, entries: members }, level)),
  )
  if (lines.length === 0) return null
  const labelled = lines.some(({ detection }) => detection !== null)
  const data = tableData(lines, [
    ["variant", ({ variant }) => variant],
    ["group", ({ group }) => group],
    detector.figure === "rate"
      ? ["hallucination rate", ({ rate }) => rate, "share"]
      : ["mean score", ({ rate }) => rate],
    ["unsupported per 1,000 tokens", ({ per1000 }) => per1000],
    ["checked", ({ checked }) => checked],
    ...(labelled ? detectionColumns : []),
  ])
  const sentences = lines.flatMap((line) => (line.group === "all" ? [sentence(detector, line)] : []))
  return reportSection(
    "hallucination",
    `Hallucination, measured by ${detector.name}`,
    [...sentences, `Cost: ${detector.cost}. Blind spot: ${detector.blindSpot}.`],
    data,
  )
}

/** Columns of how well a detector finds what people labelled. */
export const detectionColumns: readonly TableColumn<Pick<Line, "precision" | "recall" | "detection">>[] = [
  ["detector: precision", ({ precision }) => precision, "share"],
  ["detector: recall", ({ recall }) => recall, "share"],
  ["detector: AUROC", ({ detection }) => detection?.auroc ?? null],
]

interface Line {
  readonly variant: string
  readonly group: string
  readonly rate: Figure
  readonly per1000: Figure
  /** Statements that were checked: a detector that finds none flags nothing. */
  readonly checked: number
  readonly precision: Figure | null
  readonly recall: Figure | null
  readonly detection: Detection | null
}

interface Members extends Pick<Line, "variant" | "group"> {
  readonly entries: readonly RowEntry<DetectorRow>[]
}

function lineOf(detector: DetectorFacts, { variant, group, entries }: Members, level: SummaryLevel): Line {
  return {
    variant,
    group,
    rate: meanFigure(entries, detector.value, level),
    per1000: perThousandTokensFigure(entries, level),
    checked: entries.reduce((sum, { row }) => sum + row.checked, 0),
    precision: precisionFigure(entries, level),
    recall: recallFigure(entries, level),
    detection: detectionOf(entries.map(({ row }) => row)),
  }
}

/** All answers, then each group. */
function groupsOf(entries: readonly RowEntry<DetectorRow>[]): [string, readonly RowEntry<DetectorRow>[]][] {
  const names = [...new Set(entries.flatMap(({ group }) => group ?? []))].sort(byText)
  return [
    ["all", entries],
    ...names.map((name): [string, RowEntry<DetectorRow>[]] => [name, entries.filter(({ group }) => group === name)]),
  ]
}

function sentence({ figure }: DetectorFacts, { variant, rate, detection }: Line): string {
  const labels = detection?.auroc == null ? null : { n: detection.n, auroc: detection.auroc }
  return detectorSentence(variant, figure, rate, labels)
}
