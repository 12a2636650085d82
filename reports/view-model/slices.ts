import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { TableData } from "../../src/core/report/report-sections.ts"
import type { SliceChange, SlicesData, SlicesOfAxis } from "../../src/core/report/section-slices.ts"
import { type TableColumn, tableData } from "../../src/core/report/table-data.ts"
import { inHundredths } from "../../src/words/figure.ts"
import { metricDifference, metricTitle } from "../../src/words/metric.ts"
import { pNumber } from "../../src/words/p-value.ts"

type SlicedFigure = SlicesData["figures"][number]
type Cell = TableData["rows"][number][number]

/** Rows of the table of slices that moved. */
const maxMoved = 20

/** Whether a figure is a metric: the others are time and cost. */
function isMetric({ name }: SlicedFigure): boolean {
  return name !== "ttftMs" && name !== "e2eMs" && name !== "costUsd"
}

/** Every change of a metric that is more than chance, with its slice, those of two fields too; the largest first. */
export function movedSlices(data: SlicesData) {
  const single = data.axes.flatMap(({ title, slices }) =>
    slices.flatMap(({ slice, samples, changes }) =>
      changes.map((change) => ({ slice: `${title}: ${slice}`, samples, change })),
    ),
  )
  return [...single, ...(data.shared ?? [])]
    .flatMap(({ slice, samples, change }) => {
      const figure = data.figures.find(({ name }) => name === change.figure)
      return change.moved !== null && figure && isMetric(figure) ? [{ slice, samples, change, figure }] : []
    })
    .sort((a, b) => sizeOf(b.change) - sizeOf(a.change) || (a.change.p ?? 1) - (b.change.p ?? 1))
}

function sizeOf({ difference }: SliceChange): number {
  return Math.abs(figureValue(difference) ?? 0)
}

/** A row a slice and metric that moved, the clearest first; null where none did. */
export function movedTable(data: SlicesData): TableData | null {
  const moved = movedSlices(data)
  if (moved.length === 0) return null
  return tableData(moved.slice(0, maxMoved), [
    ["variant", ({ change }) => change.candidate],
    ["slice", ({ slice }) => slice],
    ["moved", ({ change }) => change.moved],
    ["metric", ({ figure }) => figureTitle(figure)],
    [data.baseline, ({ change }) => change.before, "score"],
    ["variant\u2019s", ({ change }) => change.after, "score"],
    ["change", ({ change, figure }) => differenceText(figureValue(change.difference), figure)],
    ["the rest\u2019s", ({ change, figure }) => differenceText(change.rest, figure)],
    ["p, adjusted", ({ change }) => change.pAdjusted, "p"],
    ["samples", ({ samples }) => samples],
  ])
}

/** A row a slice and candidate of one axis; without candidates a row a slice and variant. */
export function axisTable(data: SlicesData, { title, slices }: SlicesOfAxis): TableData {
  const metrics = data.figures.filter(isMetric)
  const isCompared = slices.some(({ changes }) => changes.length > 0)
  return isCompared ? changesTable(data, { title, slices }, metrics) : levelsTable(data, { title, slices })
}

function changesTable(
  data: SlicesData,
  { title, slices }: Pick<SlicesOfAxis, "title" | "slices">,
  metrics: readonly SlicedFigure[],
): TableData {
  const hasFirstToken = data.figures.some(({ name }) => name === "ttftMs")
  const candidates = [...new Set(slices.flatMap(({ changes }) => changes.map(({ candidate }) => candidate)))]
  return {
    columns: [
      { title: "variant" },
      { title },
      { title: "samples" },
      ...metrics.flatMap((metric) => [
        { title: `${metricTitle(metric)}, ${data.baseline}`, unit: metric.unit ?? "score" },
        { title: "change", unit: isShare(metric) ? "points" : (metric.unit ?? "score") },
        { title: "p, adjusted" },
      ]),
      ...(hasFirstToken
        ? [
            { title: `TTFT, ${data.baseline}`, unit: "ms" },
            { title: "TTFT", unit: "%" },
          ]
        : []),
      { title: "time", unit: "%" },
      { title: "cost", unit: "%" },
    ],
    rows: slices.flatMap(({ slice, samples, changes }) =>
      candidates.map((candidate): readonly Cell[] => {
        const of = (figure: string) =>
          changes.find((sliceChange) => sliceChange.candidate === candidate && sliceChange.figure === figure)
        return [
          candidate,
          slice,
          samples,
          ...metrics.flatMap((metric): Cell[] => {
            const change = of(metric.name)
            if (!change) return [null, null, null]
            const { before, difference } = change
            return [before, isShare(metric) ? inHundredths(difference) : difference, verdictText(change)]
          }),
          ...(hasFirstToken ? [of("ttftMs")?.before ?? null, shareCell(of("ttftMs"))] : []),
          shareCell(of("e2eMs")),
          shareCell(of("costUsd")),
        ]
      }),
    ),
  }
}

/** A row a slice and variant: the figures themselves. */
export function levelsTable(data: SlicesData, { title, slices }: Pick<SlicesOfAxis, "title" | "slices">): TableData {
  const rows = slices.flatMap(({ slice, samples, levels }) => levels.map((level) => ({ ...level, slice, samples })))
  return tableData(rows, [
    ["variant", ({ variant }) => variant],
    [title, ({ slice }) => slice],
    ["samples", ({ samples }) => samples],
    ...data.figures.map((figure, index): TableColumn<(typeof rows)[number]> => {
      return [figureTitle(figure), ({ figures }) => figures[index] ?? null, figure.unit ?? "score"]
    }),
  ])
}

/** What a figure of slices is called. */
export function figureTitle({ name, title }: SlicedFigure): string {
  if (name === "ttftMs") return "median time to first token"
  return name === "e2eMs"
    ? "median time"
    : name === "costUsd"
      ? "cost per answer"
      : metricTitle({ name, ...(title !== undefined && { title }) })
}

function verdictText({ pAdjusted, moved }: SliceChange): string {
  if (pAdjusted === null) return "not tested"
  const p = pNumber(pAdjusted)
  return moved === null ? p : `${p}: ${moved}`
}

function shareCell(change: SliceChange | undefined): Figure | null {
  return change ? inHundredths(change.difference) : null
}

function differenceText(difference: number | null, figure: SlicedFigure): string {
  if (difference === null) return "unknown"
  return metricDifference(difference, { unit: figure.unit ?? "score", range: [null, null] })
}

function isShare({ unit }: SlicedFigure): boolean {
  return unit === "share"
}
