import { unscored } from "../../../src/core/metric/metric.ts"
import type { ReportInput } from "../../../src/core/report/report.ts"
import type { RunRecord, RunStatus } from "../../../src/core/run/run-record.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { openRunStore } from "../../../src/store/run-store.ts"

/** How a synthetic run is kept. */
interface KeptRun {
  readonly id: string
  readonly status?: RunStatus
  readonly startedAt?: string
  readonly report?: boolean
  /** Fingerprint of the data set, where its samples are others than those of another run in the store. */
  readonly fingerprint?: string
}

/** Keeps a synthetic run in the store of a folder, as `evalkit run` would have left it. */
export async function keepRun(directory: string, source: ReportInput, options: KeptRun): Promise<void> {
  const store = openRunStore(directory)
  try {
    await keepRunIn(store, source, options)
  } finally {
    store.close()
  }
}

/** The same in an open store. */
export async function keepRunIn(store: RunStore, source: ReportInput, options: KeptRun): Promise<void> {
  const { fingerprint = source.report.dataset.fingerprint } = options
  const input = { ...source, report: { ...source.report, dataset: { ...source.report.dataset, fingerprint } } }
  const { id, status = "finished", startedAt = input.report.run.startedAt } = options
  const run = { ...input.report.run, id, status, startedAt }
  store.createRun(record({ ...input.report, run }))
  await keepAnswers(store, input, id)
  if (options.report !== false) store.saveReport(id, { ...input.report, run })
}

async function keepAnswers(store: RunStore, { report, samples }: ReportInput, id: string): Promise<void> {
  let number = 0
  for await (const { sample, answers } of samples()) {
    store.saveSamples(report.dataset.fingerprint, [sample], number++)
    for (const { generation, values, reasons } of answers) {
      const { variant, sampleId, repeat } = generation
      store.saveGeneration(id, generation)
      store.saveRows(
        id,
        Object.entries(values).map(([metric, value]) => ({
          variant,
          sampleId,
          repeat,
          metric,
          measured:
            value === null ? unscored(reasons[metric] ?? "no value") : { status: "scored" as const, row: value },
          value,
        })),
      )
    }
  }
}

function record({ run, dataset, metrics, variants, decision }: ReportInput["report"]): RunRecord {
  return {
    ...run,
    margin: 0.01,
    alpha: 0.05,
    baseline: decision?.baseline ?? null,
    configPath: null,
    dataset,
    variants: variants.map(({ name, model, provider, quantization, fingerprint, cost }) => ({
      name,
      model,
      provider,
      quantization,
      fingerprint,
      priceSource: cost.priceSource,
    })),
    metrics: metrics.map((metric) => ({ ...metric })),
    plan: `plan-${run.id}`,
  }
}
