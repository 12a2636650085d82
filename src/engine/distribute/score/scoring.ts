import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { UnscoredCode } from "../../../core/metric/unscored-code.ts"
import type { StoredRow } from "../../../core/run/run-store.ts"
import type { Spender } from "../../run/spend-within.ts"
import { settled } from "../../run/spend-within.ts"
import { missingModels, missingModelText } from "../../score/missing-models.ts"
import type { ModelCallerOptions } from "../../score/model-caller.ts"
import type { VariantTask } from "../../score/score-stage.ts"
import type { ActiveSlice, RunWork } from "../run-work.ts"

/** What a worker measures, and how it asks those whom metrics ask. */
export interface Scoring {
  /** Those that can be measured here; what is missing on this machine is left to the coordinator. */
  readonly metrics: readonly AnyMetric[]
  /** Why the others cannot be measured here. */
  readonly missing: readonly string[]
  asking(active: ActiveSlice): NonNullable<VariantTask["asking"]>
}

/** Milliseconds between two looks at whether another worker has asked, or a call has given back what it did not use. */
const tryEveryMs = 50

/** Opens the models that metrics were given, and prepares their calls. */
export async function openScoring(work: Omit<RunWork, "scorer">): Promise<Scoring> {
  const { run, task } = work
  const { control, evaluation, store, record } = run
  const options = run.defaultEmbedder ? { defaultEmbedder: run.defaultEmbedder } : {}
  const missing = await missingModels(evaluation.metrics, control.signal, options)
  const metrics = without(evaluation.metrics, new Set(missing.flatMap((one) => one.metrics)))
  const inFlight: NonNullable<ModelCallerOptions["inFlight"]> = new Map()
  const turn = async (key: string, signal: AbortSignal): Promise<() => void> => {
    while (!store.ask(record.id, key, work.number, work.hearing.aliveSeconds()))
      await control.clock.sleep(tryEveryMs, signal)
    return () => work.asked(key)
  }
  return {
    metrics,
    missing: missing.map(missingModelText),
    asking: (active) => ({
      inFlight,
      others: { privateOf: task.privateOf, turn },
      spender: leasing(work, active),
      save: (call, answer) => work.commit.save(() => store.saveModelCall(record.id, call, answer), call.key),
    }),
  }
}

/** Calls that draw from the worker's wallet, which leases what is missing. */
function leasing({ run: { control }, wallet, state }: Omit<RunWork, "scorer">, active: ActiveSlice): Spender {
  const { clock, budget, signal } = control
  return {
    async spend(estimate, call) {
      for (;;) {
        if (signal.aborted || active.isLost || budget.exceeded() !== null) return null
        const reservation = budget.reserve(estimate)
        if (reservation) return settled(reservation, call)
        if (!wallet) return null
        if (!wallet.fill([estimate])) {
          state.isShort = true
          // What others could use must not lie here.
          wallet.empty()
          return null
        }
        const leased = budget.reserve(estimate)
        if (leased) return settled(leased, call)
        // As much is in flight as may be lost with this worker.
        await clock.sleep(tryEveryMs, signal)
      }
    },
  }
}

/** Codes that say what a machine lacks: another may have it. */
const lacking: ReadonlySet<UnscoredCode> = new Set<UnscoredCode>([
  "missing_package",
  "model_unavailable",
  "no_embedder",
  "not_yet",
])

/** Whether the row holds wherever it was made. */
export function holdsEverywhere({ measured }: StoredRow): boolean {
  return measured.status === "scored" || !lacking.has(measured.code)
}

/** The metrics without some of them, and without what is computed from those. */
function without(metrics: readonly AnyMetric[], names: ReadonlySet<string>): readonly AnyMetric[] {
  const left = metrics.filter(
    ({ name, dependsOn = [] }) => !names.has(name) && !dependsOn.some((other) => names.has(other)),
  )
  if (left.length === metrics.length) return left
  const gone = metrics.filter((metric) => !left.includes(metric)).map(({ name }) => name)
  return without(left, new Set([...names, ...gone]))
}
