import { setTimeout as sleep } from "node:timers/promises"
import type { Clock } from "../../core/clock.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { monitorClient } from "./client-monitor.ts"
import { askTruth, type CalibrationOptions, type ClientError, compareStamps, truthAnswers } from "./self-calibration.ts"
import type { TruthStamps } from "./truth-server.ts"

/** A function of evalkit's own that answers on a known schedule, called as the user's functions are. */
export type TruthFunction = (call: {
  readonly messages: readonly { readonly content: string }[]
}) => AsyncIterable<string, undefined>

/** The load of a calibration over functions. */
export interface FunctionCalibrationOptions extends Omit<CalibrationOptions, "open" | "openLoop"> {
  /** A session that calls the function as the run calls its own. */
  open(answer: TruthFunction): Promise<ProviderSession>
}

/**
 * Measures evalkit's own error over functions that run in its process: one that gives its tokens on a schedule is called at the
 * run's concurrency, and every stamp is compared with the moment that the schedule names. A function shares its thread with
 * evalkit, so that how late a timer fires there is part of the error. Null when nothing was answered.
 */
export async function calibrateFunction(options: FunctionCalibrationOptions): Promise<ClientError | null> {
  const stamps = new Map<string, TruthStamps>()
  const session = await options.open(truthFunction(options, stamps))
  try {
    const monitor = monitorClient()
    const answers = await askTruth(session, options)
    return compareStamps(answers, stamps, options.concurrency, monitor.stop())
  } finally {
    await session.close()
  }
}

function truthFunction(options: FunctionCalibrationOptions, stamps: Map<string, TruthStamps>): TruthFunction {
  const { firstMs, intervalMs, chunks } = truthAnswers(options)
  const { clock } = options
  return async function* ({ messages }) {
    const arrivalMs = clock.now()
    const sendMs = Array.from({ length: chunks }, (_, chunk) => arrivalMs + firstMs + chunk * intervalMs)
    stamps.set(/\d+$/.exec(messages.at(-1)?.content ?? "")?.[0] ?? "", { arrivalMs, sendMs })
    for (const [chunk, dueMs] of sendMs.entries()) {
      await until(dueMs, clock)
      yield ` ${chunk}`
    }
    return undefined
  }
}

/** A timer may fire up to a millisecond early. */
async function until(dueMs: number, clock: Clock): Promise<void> {
  for (let leftMs = dueMs - clock.now(); leftMs > 0; leftMs = dueMs - clock.now()) await sleep(leftMs)
}
