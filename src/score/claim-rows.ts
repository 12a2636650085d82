import { privateFingerprint } from "../calls/private-fingerprint.ts"
import { contentHash } from "../core/json.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Provider } from "../core/provider.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { scoreNotes } from "../words/reasons/scores.ts"

/** What claiming a run's rows needs. */
export interface ClaimRowsOptions {
  readonly evaluation: Pick<Evaluation, "metrics">
  readonly store: Pick<RunStore, "run" | "rowMaker" | "saveRowMaker" | "fingerprintKey">
  readonly runId: string
  /** Receives one line for each metric whose rows were another's. */
  note(message: string): void
}

/**
 * Before anything is scored: drops the rows that another judge, rubric or form of a metric made under the same name, so that an old
 * verdict never stands for a new one. Runs of older stores say no more than the signature.
 */
export function claimRows({ evaluation, store, runId, note }: ClaimRowsOptions): void {
  const recorded = new Map(store.run(runId)?.metrics.map(({ name, signature }) => [name, signature]))
  for (const metric of evaluation.metrics) {
    const maker = makerOf(metric, evaluation.metrics, (provider) => privateFingerprint(provider, store))
    const before = store.rowMaker(runId, metric.name)
    if (before === maker) continue
    const isOther = before !== null || (recorded.has(metric.name) && recorded.get(metric.name) !== metric.signature)
    store.saveRowMaker(runId, metric.name, maker, isOther)
    if (isOther) note(scoreNotes.changedMetric(metric.name))
  }
}

/**
 * Everything that the metric's rows depend on besides sample and answer, metrics that it reads among it.
 *
 * @param privateOf hash of what is private of a provider; null where there is nothing of the kind
 */
export function makerOf(
  metric: AnyMetric,
  all: readonly AnyMetric[],
  privateOf: (provider: Provider) => string | null,
  above: ReadonlySet<string> = new Set(),
): string {
  const { signature, asks = [], asksWith = [], dependsOn = [] } = metric
  const path = new Set([...above, metric.name])
  return contentHash({
    signature,
    asks: asks.map((provider) => ({
      identity: provider.identity,
      private: privateOf(provider) ?? undefined,
    })),
    asksWith,
    reads: all
      .filter(({ name }) => dependsOn.includes(name) && !path.has(name))
      .map((other) => makerOf(other, all, privateOf, path)),
  })
}
