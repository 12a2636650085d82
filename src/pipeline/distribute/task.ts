import { UsageError } from "../../core/errors.ts"
import { contentHash } from "../../core/json.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { SliceJob } from "../../core/run/slice-queue.ts"
import { variantFingerprint } from "../../core/variant.ts"
import { planRun } from "../../run/plan.ts"
import { metricRecords } from "../../run/run-record.ts"
import { makerOf } from "../../score/claim-rows.ts"
import { otherTask } from "../../wording/distribute.ts"
import { judgeIdentities } from "./judge-identities.ts"
import { cutSlices, type Slices } from "./slices.ts"

/** Hash of what a run asks and measures. */
export function runFingerprint({ plan, metrics }: Pick<RunRecord, "plan" | "metrics">): string {
  return contentHash({ plan, metrics: metrics.map(({ name, signature }) => [name, signature]) })
}

/** Name of the queue of a task: what workers with a config of this name and this store listen to. */
export function queueName({ name }: Pick<Evaluation, "name">, store: Pick<RunStore, "identity">): string {
  return `evalkit-${contentHash([name, store.identity()]).slice(0, 16)}`
}

/** @throws {UsageError} for what only one process can do */
export function checkDistributed({ variants, batch }: Evaluation): void {
  const where = "--queue"
  if (batch)
    throw new UsageError("a run by batch needs no workers: the service has its own queue", {
      where,
      hint: "leave --batch out",
    })
  for (const { name, provider, episode } of variants) {
    if (provider.exclusive || provider.lane !== undefined)
      throw new UsageError(`variant ${name} runs on the machine that asks it, and workers have others`, {
        where,
        hint: "serve it at an address that the workers reach, or use shards",
      })
    if (episode?.sources?.length)
      throw new UsageError(
        `variant ${name} has tools of servers that one process starts, and asks them what they offer`,
        {
          where,
          hint: "leave --queue out, or use shards; tools that are functions of the config go with --queue",
        },
      )
  }
}

/** What a worker does for one run: the run's own settings, with the worker's own providers. */
export interface WorkerTask {
  readonly record: RunRecord
  readonly evaluation: Evaluation
  readonly slices: Slices
  /** Hashes of what of a judge is private, as the coordinator wrote them down. */
  readonly privateOf: (provider: Provider) => string | null
}

/**
 * The run of a slice, with this worker's config. Samples, seed, repeats, prices of variants, retries and timeouts are the run's, as its store has them.
 *
 * @param version of this worker's evalkit
 * @throws {UsageError} `worker_refused` naming how they differ
 */
export function taskOf(job: SliceJob, evaluation: Evaluation, store: RunStore, version: string): WorkerTask {
  const record = store.run(job.runId)
  if (!record) throw refused(job, [otherTask.noRun])
  const differences = version === job.version ? [] : [otherTask.version(version, job.version)]
  const config = record.config as unknown as Pick<Evaluation, "retry" | "timeouts" | "variants">
  const variants = record.variants.flatMap(({ name, fingerprint }) => {
    const own = evaluation.variants.find((variant) => variant.name === name)
    if (!own) differences.push(otherTask.noVariant(name))
    else if (variantFingerprint(own) !== fingerprint) differences.push(otherTask.otherVariant(name))
    const price = config.variants.find((variant) => variant.name === name)?.price ?? null
    return own ? [{ ...own, price }] : []
  })
  const signatures = new Map(metricRecords(evaluation).map((metric) => [metric.name, metric.signature]))
  // In the run's order: what the coordinator wrote down of their judges is told apart by it.
  const metrics = record.metrics.flatMap(({ name, signature }) => {
    const own = evaluation.metrics.find((metric) => metric.name === name)
    if (!own) differences.push(otherTask.noMetric(name))
    else if (signatures.get(name) !== signature)
      differences.push(otherTask.otherMetric(name, String(signatures.get(name)), signature))
    return own ? [own] : []
  })
  const privateOf = judgeIdentities(store, record.id, { variants, metrics })
  if (differences.length === 0)
    for (const metric of metrics) {
      const maker = store.rowMaker(record.id, metric.name)
      if (maker !== null && maker !== makerOf(metric, metrics, privateOf))
        differences.push(otherTask.otherJudge(metric.name))
    }
  if (differences.length > 0) throw refused(job, differences)
  const own: Evaluation = {
    ...evaluation,
    variants,
    metrics,
    seed: record.seed,
    repeats: record.repeats,
    retry: config.retry,
    timeouts: config.timeouts,
  }
  const { fingerprint } = record.dataset
  const plan = planRun({ ...own, sampleIds: [...store.sampleIds(fingerprint)], datasetFingerprint: fingerprint })
  if (plan.hash !== record.plan || runFingerprint(record) !== job.fingerprint) throw refused(job, [otherTask.otherPlan])
  const slices = cutSlices({ variants, repeats: record.repeats, order: plan.order, samples: job.samples })
  return { record, evaluation: own, slices, privateOf }
}

function refused({ runId }: SliceJob, differences: readonly string[]): UsageError {
  return new UsageError(`this worker cannot work on run ${runId}: ${differences.join("; ")}`, {
    code: "worker_refused",
    hint: "give it the config and the version of evalkit that the run was started with, and the same store",
  })
}
