import type { Random } from "../../../src/core/random.ts"
import { factFamilies } from "../data/facts.ts"
import { fill, type Generator, pick } from "../data/item.ts"

/**
 * Closed-book facts. They must be known, so the same facts train and test; what is held out is the pair of fact and
 * wording. How often a fact is trained falls with its rank (Zipf), so that rare ones are wrong more often.
 */
export const fact: Generator = (random) => {
  const family = pick(random, factFamilies)
  return askFact(random, family, zipfRank(random, family.pairs.length))
}

/** The test's facts: every rank equally likely, so that rare ones are seen. */
export const factOfAnyRank: Generator = (random) => {
  const family = pick(random, factFamilies)
  return askFact(random, family, random.integer(family.pairs.length))
}

function askFact(random: Random, family: (typeof factFamilies)[number], rank: number) {
  const [subject, answer] = family.pairs[rank] as readonly [string, string]
  const wording = pick(random, family.wordings)
  return {
    task: "fact",
    prompt: fill(wording, subject),
    answer,
    keys: [`wording:${wording}/${subject}`] as const,
    extra: { family: family.name, rank: rank + 1, frequency: rank < 8 ? "common" : rank < 24 ? "medium" : "rare" },
  }
}

/** A rank from 0 with probability proportional to 1 / (rank + 1). */
function zipfRank(random: Random, count: number): number {
  let total = 0
  for (let rank = 1; rank <= count; rank++) total += 1 / rank
  let left = random.next() * total
  for (let rank = 1; rank < count; rank++) {
    left -= 1 / rank
    if (left < 0) return rank - 1
  }
  return count - 1
}
