import { sequentialDesign } from "./alpha-spending.ts"

/** Share of alpha that {@link anytimeLowerBound} gets where a run of unknown length is looked at; the rest is spent over the looks. */
const bettingShare = 0.75

/** One-sided levels of one look, which together with all others err in at most alpha. */
export interface LookLevels {
  /** Of the bound for a fixed number of samples. */
  readonly spent: number
  /** Of the bound that holds at every look; null where only the other one decides. */
  readonly betting: number | null
}

/**
 * Levels at a look, counted from 0. Right and wrong answers have a bound that is sharp at every level, and alpha is spent over the
 * looks alone. The bound for any distribution needs samples in proportion to the logarithm of its level: there three quarters
 * of alpha go to a bound by betting, which is not spent by looking.
 *
 * @param samples of all planned looks, ascending
 * @param sharpLooks looks from the first on at which all answers were right or wrong, and at which the whole level was spent:
 *   what that took is taken from the bet; null where no bet is made
 */
export function lookLevels(
  samples: readonly number[],
  look: number,
  { alpha, sharpLooks }: { readonly alpha: number; readonly sharpLooks: number | null },
): LookLevels {
  if (sharpLooks === null || look < sharpLooks)
    return { spent: levelsOf(samples, alpha)[look] as number, betting: null }
  return {
    spent: levelsOf(samples, alpha * (1 - bettingShare))[look] as number,
    betting: alpha * bettingShare * (1 - sharpLooks / samples.length),
  }
}

/** Levels are the same for every metric and candidate of a run, and cost a few milliseconds a look. */
const cache = new Map<string, readonly number[]>()

function levelsOf(samples: readonly number[], alpha: number): readonly number[] {
  const key = `${alpha}/${samples.join(",")}`
  let levels = cache.get(key)
  if (!levels) {
    levels = sequentialDesign(samples, { alpha, spending: "looks" }).levels
    if (cache.size >= 100) cache.clear()
    cache.set(key, levels)
  }
  return levels
}
