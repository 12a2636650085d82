import type { Generation } from "../core/generation.ts"
import { isAnswered } from "../core/outcome.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { releaseNumbers } from "../stats/mapped-numbers.ts"
import type { UnitNumbers } from "../stats/resampling/units.ts"

/** The few numbers that are kept of each answer's cost, as lists. */
export interface CostEntries {
  readonly length: number
  /** The sample that each answer is to. */
  readonly units: UnitNumbers
  /** NaN where it is unknown. */
  readonly usd: Float64Array
  /** What it cost in any case; 0 where nothing is known. */
  atLeastUsd(): Float64Array
  /** Inside `usd`: attempts that failed before the one that counts; NaN where no answer came, and all of it was spent on a failure. */
  readonly failedUsd: Float64Array
  /** What all of it was paid for, by name. */
  readonly parts: ReadonlyMap<string, CompensatedSum>
  /** Why the first unknown cost is unknown. */
  readonly reason: string
  /** NaN where they were not counted. */
  tokens(): Float64Array
  /** NaN where nobody says so. */
  readonly correct: Float64Array
}

/** Collects {@link CostEntries}. */
export interface CostEntriesBuilder {
  /** @param sample its number, from 0, where the caller knows it for every answer: then no ids are kept */
  add(
    generation: Pick<Generation, "sampleId" | "cost" | "usage" | "outcome">,
    correct: number | null,
    sample?: number,
  ): void
  done(): CostEntries
}

/** An empty {@link CostEntriesBuilder}. */
export function costEntriesBuilder(): CostEntriesBuilder {
  const unit = createCompactList()
  const usd = createCompactList()
  const atLeastUsd = createCompactList()
  const failedUsd = createCompactList()
  const tokens = createCompactList()
  const correctness = createCompactList()
  const numbers = new Map<string, number>()
  const parts = new Map<string, CompensatedSum>()
  let reason = ""
  /** Below 0, where no number that a caller gives is. */
  const numberOf = (sampleId: string): number => {
    const number = numbers.get(sampleId) ?? -1 - numbers.size
    numbers.set(sampleId, number)
    return number
  }
  return {
    add({ sampleId, cost, usage, outcome }, correct, sample) {
      const isKnown = cost.status === "known"
      if (isKnown)
        for (const name of Object.keys(cost.parts)) {
          const sum = parts.get(name) ?? new CompensatedSum()
          parts.set(name, sum)
          sum.add((cost.parts as Readonly<Record<string, number>>)[name] ?? 0)
        }
      else if (reason === "") reason = cost.reason
      unit.push(sample ?? numberOf(sampleId))
      usd.push(isKnown ? cost.usd : Number.NaN)
      atLeastUsd.push(isKnown ? cost.usd : (cost.atLeastUsd ?? 0))
      failedUsd.push(!isAnswered(outcome) ? Number.NaN : isKnown ? (cost.parts.failedAttempts ?? 0) : 0)
      tokens.push(usage.completionTokens ?? Number.NaN)
      correctness.push(correct ?? Number.NaN)
    },
    done: () => ({
      length: usd.length,
      units: numberedAnew(unit.values()),
      usd: usd.values(),
      atLeastUsd: atLeastUsd.values,
      failedUsd: failedUsd.values(),
      parts,
      reason,
      tokens: tokens.values,
      correct: correctness.values(),
    }),
  }
}

/** Units in the order in which they first appear. */
function numberedAnew(numbers: Float64Array): UnitNumbers {
  const min = numbers.reduce((min, number) => Math.min(min, number), 0)
  const max = numbers.reduce((max, number) => Math.max(max, number), 0)
  const indices = new Int32Array(max - min + 1).fill(-1)
  let count = 0
  const of = Int32Array.from(numbers, (number) => {
    if (indices[number - min] === -1) indices[number - min] = count++
    return indices[number - min] as number
  })
  releaseNumbers(numbers)
  return { of, count }
}

/** Neumaier's sum, a value at a time. */
export class CompensatedSum {
  private total = 0
  private lost = 0

  add(value: number): void {
    const next = this.total + value
    this.lost += Math.abs(this.total) >= Math.abs(value) ? this.total - next + value : value - next + this.total
    this.total = next
  }

  /** The sum, with one more value. */
  plus(value: number): number {
    const next = this.total + value
    const lost = Math.abs(this.total) >= Math.abs(value) ? this.total - next + value : value - next + this.total
    return next + (this.lost + lost)
  }
}
