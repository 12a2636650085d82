import { type FleetFigures, predictFleet } from "./fleet-model.ts"

/** A large run, and what one answer of it was measured to take. */
export interface LargeRun {
  readonly answers: number
  readonly fleet: FleetFigures
  /** Bytes of an answer in the store, with its indexes. */
  readonly bytesPerAnswer: number
  /** Milliseconds of one count, and of reading what is finished, a million rows. */
  readonly countMsPerMillion: number
  readonly readMsPerMillion: number
  /** CPU of workers, store, queue and coordinator an answer, in milliseconds. */
  readonly cpuMsPerAnswer: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly usdPerMillionPrompt: number
  readonly usdPerMillionCompletion: number
}

/** What it comes to. */
export interface LargeRunCost {
  readonly perSecond: number
  readonly perSecondOfWorker: number
  readonly hours: number
  readonly terabytes: number
  readonly coreHours: number
  readonly usd: number
  /** Seconds of one look of the coordinator at the rows, and of its start, near the end. */
  readonly countSeconds: number
  readonly startSeconds: number
}

/** Multiplies: nothing here is measured at this size. */
export function costOfLargeRun(run: LargeRun): LargeRunCost {
  const { perSecond } = predictFleet(run.fleet)
  const millions = run.answers / 1e6
  const usdPerAnswer =
    (run.promptTokens * run.usdPerMillionPrompt + run.completionTokens * run.usdPerMillionCompletion) / 1e6
  return {
    perSecond,
    perSecondOfWorker: perSecond / run.fleet.workers,
    hours: run.answers / perSecond / 3600,
    terabytes: (run.answers * run.bytesPerAnswer) / 1e12,
    coreHours: (run.answers * run.cpuMsPerAnswer) / 3.6e6,
    usd: run.answers * usdPerAnswer,
    countSeconds: (millions * run.countMsPerMillion) / 1000,
    startSeconds: (millions * run.readMsPerMillion) / 1000,
  }
}
