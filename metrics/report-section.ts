import type { MetricRow, MetricRowsOfVariant, RowEntry, Summary, SummaryLevel } from "../src/core/metric/metric.ts"
import type { Figure, KnownFigure } from "../src/core/report/figure.ts"
import type { SectionDataByKind, SectionKind, SectionOfKind } from "../src/core/report/report-sections.ts"
import { splitOf } from "../src/core/sample.ts"
import { meanFigure } from "../src/stats/intervals/mean-interval.ts"

/** A section of the report from typed data; undefined values are left out. */
export function reportSection<Kind extends SectionKind>(
  kind: Kind,
  title: string,
  sentences: readonly string[],
  data: SectionDataByKind[Kind],
): SectionOfKind<Kind> {
  return { kind, title, sentences, data: JSON.parse(JSON.stringify(data)) as SectionDataByKind[Kind] }
}

/** The scored rows of a variant, as a summary receives them. A metric knows the type of its own rows. */
export function scoredRows<Row>(variant: MetricRowsOfVariant): RowEntry<Row>[] {
  return variant.rows.flatMap((row: MetricRow) => {
    const { measured, sampleId, repeat } = row
    return measured.status === "scored" ? [{ row: measured.row as Row, sampleId, repeat, ...splitOf(row) }] : []
  })
}

/** The variants that have scored rows, with them. */
export function scoredVariants<Row>(variants: readonly MetricRowsOfVariant[]) {
  return variants
    .map((variant) => ({ variant: variant.variant, entries: scoredRows<Row>(variant) }))
    .filter(({ entries }) => entries.length > 0)
}

/** The mean of a number of each row with its interval over samples (or clusters); shares unless another range is named. */
export function meanOfRows<Row>(
  entries: readonly RowEntry<Row>[],
  value: (row: Row) => number,
  { alpha }: SummaryLevel = {},
  range?: readonly [number, number],
): KnownFigure {
  const values = entries.map(({ row }) => value(row))
  return meanFigure(values, entries.map(unitOf), range, alpha)
}

/** The interval of a figure as that of a summary; undefined where it has none. */
export function intervalOf(figure: Figure): Summary["interval"] {
  if (figure.status !== "known" || figure.low == null || figure.high == null) return undefined
  return { low: figure.low, high: figure.high, method: figure.method }
}

/** What errors are clustered by: the cluster, else the sample. */
export function unitOf({ cluster, sampleId }: Pick<RowEntry<unknown>, "cluster" | "sampleId">): string {
  return cluster ?? sampleId
}
