import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import type { ResourceUsage } from "../../../core/provider.ts"
import type { VariantReport } from "../../../core/report/report.ts"
import type { ServingFigures } from "../../../estimate/serving-figures.ts"

/** A variant with how it was served. */
export interface ServedVariant {
  readonly report: Pick<VariantReport, "name" | "baseline" | "speed" | "tokens" | "text" | "cost" | "resources">
  readonly scored: Pick<ScoredVariant, "answers">
  readonly serving: ServingFigures
  /** What its server used, where evalkit started one. */
  readonly resources: ResourceUsage | null
}
