import type { Generation } from "../core/generation.ts"
import { isAnswered } from "../core/outcome.ts"

/** The few numbers that are kept of each answer's cost, as lists. */
export interface CostEntries {
  readonly length: number
  /** Number of the sample that each answer is to, from 0. */
  readonly units: Int32Array
  readonly samples: number
  /** NaN where it is unknown. */
  readonly usd: Float64Array
  /** What it cost in any case; 0 where nothing is known. */
  readonly atLeastUsd: Float64Array
  /** Inside `usd`: attempts that failed before the one that counts; NaN where no answer came, and all of it was spent on a failure. */
  readonly failedUsd: Float64Array
  /** What all of it was paid for, by name. */
  readonly parts: ReadonlyMap<string, CompensatedSum>
  /** Why the first unknown cost is unknown. */
  readonly reason: string
  /** NaN where they were not counted. */
  readonly tokens: Float64Array
  /** NaN where nobody says so. */
  readonly correct: Float64Array
}

/** Collects {@link CostEntries}. */
export interface CostEntriesBuilder {
  readonly length: number
  add(generation: Pick<Generation, "sampleId" | "cost" | "usage" | "outcome">, correct: number | null): void
  done(): CostEntries
}

const columns = ["unit", "usd", "atLeastUsd", "failedUsd", "tokens", "correct"] as const

/** An empty {@link CostEntriesBuilder}. */
export function costEntriesBuilder(): CostEntriesBuilder {
  const width = columns.length
  let held = new Float64Array(width * 256)
  let length = 0
  const numbers = new Map<string, number>()
  const parts = new Map<string, CompensatedSum>()
  let reason = ""
  return {
    get length() {
      return length
    },
    add({ sampleId, cost, usage, outcome }, correct) {
      const isKnown = cost.status === "known"
      let unit = numbers.get(sampleId)
      if (unit === undefined) {
        unit = numbers.size
        numbers.set(sampleId, unit)
      }
      if (isKnown)
        for (const name of Object.keys(cost.parts)) {
          const sum = parts.get(name) ?? new CompensatedSum()
          parts.set(name, sum)
          sum.add((cost.parts as Readonly<Record<string, number>>)[name] ?? 0)
        }
      else if (reason === "") reason = cost.reason
      if (held.length === width * length) {
        const larger = new Float64Array(2 * held.length)
        larger.set(held)
        held = larger
      }
      const at = width * length++
      held[at] = unit
      held[at + 1] = isKnown ? cost.usd : Number.NaN
      held[at + 2] = isKnown ? cost.usd : (cost.atLeastUsd ?? 0)
      held[at + 3] = !isAnswered(outcome) ? Number.NaN : isKnown ? (cost.parts.failedAttempts ?? 0) : 0
      held[at + 4] = usage.completionTokens ?? Number.NaN
      held[at + 5] = correct ?? Number.NaN
    },
    done() {
      const column = (name: (typeof columns)[number]) => {
        const place = columns.indexOf(name)
        return Float64Array.from({ length }, (_, i) => held[width * i + place] as number)
      }
      return {
        length,
        units: Int32Array.from(column("unit")),
        samples: numbers.size,
        usd: column("usd"),
        atLeastUsd: column("atLeastUsd"),
        failedUsd: column("failedUsd"),
        parts,
        reason,
        tokens: column("tokens"),
        correct: column("correct"),
      }
    },
  }
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
