import type { Members } from "../../core/json-members.ts"
import type { Usage } from "../../core/usage.ts"

/** What a service's usage object says, in the shape of all services. @experimental */
export interface UsageReading {
  readonly usage: Usage
  /** Names of counts that cannot be true: they are taken as not reported. Empty when all can. */
  readonly unusable: readonly string[]
  /** What had to be assumed, as sentences for people. Mostly empty. */
  readonly assumed: readonly string[]
}

/** Reads counts, and keeps the names of those that cannot be one. */
export interface CountReader {
  /** A count; null where it is not reported or cannot be true (negative, a fraction, a text, absurdly large). */
  count(members: Members | null | undefined, name: string): number | null
  /** A count that is a part of a whole: one larger than the whole cannot be true. */
  part(members: Members | null | undefined, name: string, whole: number | null): number | null
  readonly unusable: string[]
}

/** More tokens than any model holds: a count beyond is an error of the server, not a count. */
const maxTokens = 100_000_000

/** A reader with an empty list of unusable counts. */
export function createCountReader(): CountReader {
  const unusable: string[] = []
  const count: CountReader["count"] = (members, name) => {
    const value = members?.[name]
    if (value === undefined || value === null) return null
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxTokens) return value
    unusable.push(name)
    return null
  }
  return {
    count,
    part(members, name, whole) {
      const value = count(members, name)
      if (value === null || whole === null || value <= whole) return value
      unusable.push(name)
      return null
    },
    unusable,
  }
}

/** The fields whose count is above 0: of a class that was not used, nothing is written down. */
export function used<Name extends keyof Usage>(
  counts: Readonly<Record<Name, number | null>>,
): Partial<Record<Name, number>> {
  const entries = Object.entries<number | null>(counts).filter(([, value]) => value !== null && value > 0)
  return Object.fromEntries(entries) as Partial<Record<Name, number>>
}

/** `units` where something was used by the piece, else nothing. */
export function usedUnits(counts: Readonly<Record<string, number | null>>): Pick<Usage, "units"> {
  const units = Object.entries(counts).filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0)
  return units.length === 0 ? {} : { units: Object.fromEntries(units) }
}

/** `serviceTier` where the service names one that is not its usual one. */
export function tierOf(value: unknown): Pick<Usage, "serviceTier"> {
  if (typeof value !== "string") return {}
  const tier = value.toLowerCase().slice(0, 40)
  return defaultTiers.has(tier) ? {} : { serviceTier: tier }
}

/** What services call the tier that their price list is about. */
const defaultTiers: ReadonlySet<string> = new Set(["", "auto", "default", "standard", "on_demand", "unspecified"])
