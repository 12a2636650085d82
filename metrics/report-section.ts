import type { JsonValue } from "../src/core/json.ts"
import type { MetricRow, MetricRowsOfVariant, RowEntry } from "../src/core/metric/metric.ts"
import type { ReportSection } from "../src/core/report/report.ts"
import { splitOf } from "../src/core/sample.ts"

/** A section of the report from typed data; undefined values are left out. */
export function reportSection(kind: string, title: string, sentences: readonly string[], data: object): ReportSection {
  return { kind, title, sentences, data: JSON.parse(JSON.stringify(data)) as JsonValue }
}

/** The scored rows of a variant, as a summary receives them. A metric knows the type of its own rows. */
export function scoredRows<Row>(variant: MetricRowsOfVariant): RowEntry<Row>[] {
  return variant.rows.flatMap((row: MetricRow) => {
    const { measured, sampleId, repeat } = row
    return measured.status === "scored" ? [{ row: measured.row as Row, sampleId, repeat, ...splitOf(row) }] : []
  })
}

/** What errors are clustered by: the cluster, else the sample. */
export function unitOf({ cluster, sampleId }: Pick<RowEntry<unknown>, "cluster" | "sampleId">): string {
  return cluster ?? sampleId
}
