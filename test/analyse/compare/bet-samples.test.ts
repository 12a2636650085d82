import { describe, expect, it } from "vitest"
import { betSamples } from "../../../src/analyse/interim/bet-samples.ts"
import { createRandom } from "../../../src/core/random.ts"
import { anytimeLowerBound } from "../../../src/stats/sequential/anytime-lower-bound.ts"

const margin = 0.05

/** One in ten clusters is large and loses; the small ones gain, so that the mean over samples is −margin. */
function unequalClusters(seed: string) {
  const random = createRandom(seed)
  const samples: {
    readonly id: string
    readonly cluster: string
    readonly difference: number
    readonly isLarge: boolean
  }[] = []
  for (let cluster = 0; samples.length < 800; cluster++) {
    const isLarge = random.next() < 0.1
    const level = isLarge ? -margin - 0.1 : -margin + 0.2 / 1.8
    for (let i = 0; i < (isLarge ? 20 : 2); i++)
      samples.push({
        id: `s${samples.length}`,
        cluster: `c${cluster}`,
        difference: level + 0.2 * (random.next() - 0.5),
        isLarge,
      })
  }
  return random.shuffle(samples)
}

describe("samples that stand for their clusters", () => {
  it("are all samples, once each, where there are no clusters", () => {
    expect(betSamples(["b", "a"], new Map(), 1)).toEqual({
      samples: [
        { sampleId: "b", size: 1 },
        { sampleId: "a", size: 1 },
      ],
      largest: 1,
    })
  })
  it("are the first of each cluster where all clusters are of one size, in the order in which they are asked", () => {
    const order = ["a2", "b1", "a1", "c1", "b2", "c2"]
    const clusterOf = new Map(order.map((id) => [id, id.charAt(0)]))
    const { samples, largest } = betSamples(order, clusterOf, 1)
    expect(samples.map(({ sampleId }) => sampleId)).toEqual(["a2", "b1", "c1"])
    expect(samples.every(({ size }) => size === 2)).toBe(true)
    expect(largest).toBe(2)
  })
  it("keep the error rate where large clusters lose, and are asked first; the first of each cluster would not", () => {
    let [held, first] = [0, 0]
    const runs = 300
    for (let run = 0; run < runs; run++) {
      const asked = unequalClusters(`unequal/${run}`)
      const differenceOf = new Map(asked.map(({ id, difference }) => [id, difference]))
      const clusterOf = new Map(asked.map(({ id, cluster }) => [id, cluster]))
      const { samples, largest } = betSamples(
        asked.map(({ id }) => id),
        clusterOf,
        run,
      )
      const isShown = (some: readonly { readonly sampleId: string; readonly size: number }[], most: number) =>
        anytimeLowerBound(
          {
            sums: Float64Array.from(some, ({ sampleId, size }) => size * (differenceOf.get(sampleId) as number)),
            sizes: Float64Array.from(some, ({ size }) => size),
          },
          { width: 1, alpha: 0.05, against: -margin, largest: most },
        ) > -margin
      held += Number(isShown(samples, largest))
      const met = new Set<string>()
      const firsts = asked.filter(({ cluster }) => !met.has(cluster) && met.add(cluster))
      first += Number(
        isShown(
          firsts.map(({ id }) => ({ sampleId: id, size: 1 })),
          1,
        ),
      )
    }
    expect(held / runs).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs))
    expect(first / runs).toBeGreaterThan(0.5)
  })
  it("come in an order that says nothing of the sizes of their clusters", () => {
    let early = 0
    let all = 0
    for (let run = 0; run < 60; run++) {
      const asked = unequalClusters(`order/${run}`)
      const { samples } = betSamples(
        asked.map(({ id }) => id),
        new Map(asked.map(({ id, cluster }) => [id, cluster])),
        run,
      )
      early += samples.slice(0, 40).filter(({ size }) => size > 2).length
      all += 40
    }
    // One in ten clusters is large; by size, half of the first 40 would be.
    expect(early / all).toBeGreaterThan(0.06)
    expect(early / all).toBeLessThan(0.15)
  })
})
