import { stoppingRecord } from "../analyse/interim/stopped-early.ts"
import { UsageError } from "../core/errors.ts"
import { contentHash } from "../core/json.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { findRun } from "../store/find-run.ts"
import { dataName } from "../words/data-name.ts"
import { counted } from "../words/number.ts"

/** What of a run must be as it was for its answers to count in an extension. */
const unchanged = ["seed", "repeats", "margin", "marginKind", "missing", "alpha", "baseline"] as const

/**
 * The record of a run that goes on where an earlier one ended: more samples of the same data set, asked of the same variants,
 * with the readings so far on record, so that all of them together err in at most alpha.
 *
 * @param id id of the run to extend; null for the newest of this name
 * @throws {UsageError} when there is none, when it is not finished or has spent its error rate, or when anything has changed
 */
export function extensionOf(
  store: Pick<RunStore, "runs" | "samples" | "events">,
  record: RunRecord,
  id: string | null,
): RunRecord {
  const before =
    id === null ? store.runs().find(({ name, retry }) => name === record.name && !retry) : findRun(store, id)
  if (!before)
    throw new UsageError("there is no run of this name to extend", {
      code: "run_not_found",
      where: record.name,
      hint: "list the runs with: evalkit runs",
    })
  const where = `run ${before.id}`
  if (before.status !== "finished")
    throw new UsageError("a run is extended when it has finished", { where, hint: "finish it first with --resume" })
  if (!before.dataset.isPart || stoppingRecord(store, before.id))
    throw new UsageError("the run cannot be extended: all of its error rate is spent", {
      code: "error_rate_spent",
      where,
      hint: "only runs with --limit keep a part of it; start a new run with samples that this one did not ask",
    })
  const changed = changedSince(before, record, unchanged)
  if (changed.length > 0)
    throw new UsageError(`the config has changed since the run: ${changed.join(", ")}`, {
      code: "plan_changed",
      where,
      hint: "an extension asks more samples and changes nothing else; start a new run instead",
    })
  if (record.dataset.samples <= before.dataset.samples || !beginsWith(store, record, before))
    throw new UsageError(`an extension asks the ${before.dataset.samples} samples of the run and more after them`, {
      code: "plan_changed",
      where: `${dataName(record.dataset)}: ${counted(record.dataset.samples, "sample")}`,
      hint: `set --limit above ${before.dataset.samples}, and leave the data set as it was`,
    })
  const samples = [...(before.extension?.samples ?? []), before.dataset.samples]
  return { ...record, extension: { of: before.id, samples } }
}

/** What of a run is otherwise now: these fields, its variants, its metrics. */
export function changedSince(
  before: RunRecord,
  record: RunRecord,
  fields: readonly (keyof RunRecord)[],
): readonly string[] {
  return [
    ...fields.filter((field) => before[field] !== record[field]),
    ...(sameVariants(before, record) ? [] : ["variants"]),
    ...(sameMetrics(before, record) ? [] : ["metrics"]),
  ]
}

function sameVariants(a: RunRecord, b: RunRecord): boolean {
  const identity = (run: RunRecord) =>
    contentHash(
      run.variants.map(({ name, fingerprint, privateFingerprint = null }) => [name, fingerprint, privateFingerprint]),
    )
  return identity(a) === identity(b)
}

function sameMetrics(a: RunRecord, b: RunRecord): boolean {
  const identity = (run: RunRecord) =>
    contentHash(run.metrics.map(({ name, signature, primary }) => [name, signature, primary]))
  return identity(a) === identity(b)
}

/** Whether the first samples of the larger data set are those of the smaller one, with the same content. */
function beginsWith(store: Pick<RunStore, "samples">, larger: RunRecord, smaller: RunRecord): boolean {
  const longer = store.samples(larger.dataset.fingerprint)[Symbol.iterator]()
  for (const sample of store.samples(smaller.dataset.fingerprint)) {
    const { value, done } = longer.next()
    if (done || JSON.stringify(value) !== JSON.stringify(sample)) return false
  }
  return true
}
