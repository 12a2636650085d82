import { recreateMetric } from "../../../metrics/recreate.ts"
import type { ComparedSide, TwoRuns } from "../../../reports/view/compare-page.ts"
import { decideSource } from "../../analyse/decide/decide-source.ts"
import type { LoadedMetrics } from "../../analyse/source/stored-metrics.ts"
import { storedSource } from "../../analyse/source/stored-source.ts"
import { runDifferences } from "../../analyse/summary/run-difference.ts"
import { EvalkitError, messageOf, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { findRun } from "../../store/find-run.ts"
import { comparisonTable } from "../compare/comparison-text.ts"
import { localTime } from "../history/local-time.ts"
import { field } from "./form.ts"

/** Answers of a side up to which a page compares: beyond, the resampling would hold up everybody else's pages. */
const maxAnswers = 20_000

/** What comparing needs besides the store. */
export interface CompareOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Metrics of a run's config, where it may be loaded. */
  loadMetrics(run: RunRecord): Promise<LoadedMetrics>
}

/**
 * Two runs that a page names (`a`, `b`, or `run` twice), and which variants of them (`va`, `vb`; else the baseline, or one that both
 * have), decided as `evalkit compare` decides. Named by `run` twice, the older is A.
 *
 * @throws {UsageError} unless two runs are named
 */
export async function compareRuns(store: RunStore, query: URLSearchParams, options: CompareOptions): Promise<TwoRuns> {
  const [first, second] = namedRuns(store, query)
  const variantOf = (record: RunRecord, name: "va" | "vb", stored: string | null): string => {
    const asked = field(query, name)
    if (asked !== undefined && !record.variants.some((variantRecord) => variantRecord.name === asked))
      throw new UsageError(`run ${record.id} has no such variant`, { where: asked })
    const chosen = [asked, stored, record.baseline].find((own) => record.variants.some((v) => v.name === own))
    return chosen ?? record.variants[0]?.name ?? ""
  }
  const va = variantOf(first, "va", null)
  const vb = variantOf(second, "vb", first.id === second.id ? otherVariant(second, va) : va)
  const side = (record: RunRecord, variant: string): ComparedSide => ({
    record,
    variant,
    report: store.report(record.id),
    started: localTime(record.startedAt, options.environment),
  })
  const [a, b] = [side(first, va), side(second, vb)]
  const differences = runDifferences(first, second)
  const decided = await decide(store, a, b, options)
  return { a, b, differences, ...decided }
}

async function decide(
  store: RunStore,
  a: ComparedSide,
  b: ComparedSide,
  { loadMetrics }: CompareOptions,
): Promise<Pick<TwoRuns, "comparison" | "refused">> {
  const size = ({ record, variant }: ComparedSide) => store.countFinished(record.id).get(variant) ?? 0
  if (Math.max(size(a), size(b)) > maxAnswers)
    return {
      comparison: null,
      refused: `A side has more than ${maxAnswers} answers: compare them in a terminal, with the line below.`,
    }
  try {
    const source = await storedSource({
      names: [`${a.record.id}:${a.variant}`, `${b.record.id}:${b.variant}`],
      store,
      loadMetrics,
      recreate: recreateMetric,
    })
    const comparison = decideSource(source)
    return {
      comparison: { found: comparison, table: comparisonTable(comparison, source.metrics), notes: source.notes },
      refused: "",
    }
  } catch (error) {
    if (error instanceof EvalkitError) return { comparison: null, refused: messageOf(error) }
    throw error
  }
}

function namedRuns(store: RunStore, query: URLSearchParams): readonly [RunRecord, RunRecord] {
  const [a, b] = [field(query, "a"), field(query, "b")]
  if (a !== undefined && b !== undefined) return [findRun(store, a), findRun(store, b)]
  const ticked = query.getAll("run").slice(0, 3)
  const [first, second] = ticked.map((id) => findRun(store, id))
  if (ticked.length !== 2 || !first || !second)
    throw new UsageError(
      `two runs are compared, and ${["none was", "one was", "two were", "more than two were"][ticked.length]} ticked`,
      { code: "form_wrong", hint: "tick two runs in the list, then compare them" },
    )
  return first.startedAt <= second.startedAt ? [first, second] : [second, first]
}

function otherVariant({ variants }: RunRecord, than: string): string | null {
  return variants.find(({ name }) => name !== than)?.name ?? null
}
