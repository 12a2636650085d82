import type { MetricRow, MetricRowsOfVariant, RowEntry } from "../src/core/metric/metric.ts"
import type { SectionDataByKind, SectionKind, SectionOfKind } from "../src/core/report/report-sections.ts"
import { splitOf } from "../src/core/sample.ts"

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

/** What errors are clustered by: the cluster, else the sample. */
export function unitOf({ cluster, sampleId }: Pick<RowEntry<unknown>, "cluster" | "sampleId">): string {
  return cluster ?? sampleId
}
