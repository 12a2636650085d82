import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { studentQuantile } from "../../../src/stats/distributions.ts"
import { controlVariate } from "../../../src/stats/intervals/control-variate.ts"

/** The candidate loses 0.6·(1 − ability)² on an item, up to noise; the covariate knows the ability as well as `quality` says. */
function world(n: number, quality: "useless" | "fair" | "exact", random: Random) {
  const item = () => {
    const ability = random.next()
    const seen = { useless: random.next(), fair: ability + 0.3 * random.normal(), exact: ability }[quality]
    return { seen, difference: -0.6 * (1 - ability) ** 2 + 0.1 * random.normal() }
  }
  const items = Array.from({ length: n }, item)
  return {
    differences: items.map(({ difference }) => difference),
    covariates: items.map(({ seen }) => seen),
    others: Array.from({ length: 6 * n }, () => item().seen),
  }
}

const truth = -0.2

function simulate(n: number, quality: "useless" | "fair" | "exact", worlds = 250) {
  let covered = 0
  let ratio = 0
  for (let i = 0; i < worlds; i++) {
    const variate = controlVariate(world(n, quality, createRandom(`variate/${n}/${quality}/${i}`)), i)
    if (!variate) throw new Error("nothing was adjusted")
    covered += Number(Math.abs(variate.value - truth) <= studentQuantile(0.975, n - 2) * variate.error)
    ratio += variate.varianceRatio / worlds
  }
  return { covered: covered / worlds, ratio }
}

describe("controlVariate", () => {
  it.each([50, 150])("holds the truth in 93 to 97 % with a useless covariate, at no cost: n %d", (n) => {
    const { covered, ratio } = simulate(n, "useless")
    expect(covered).toBeGreaterThanOrEqual(0.95 - 2.5 * Math.sqrt((0.95 * 0.05) / 250))
    expect(covered).toBeLessThanOrEqual(0.95 + 2.5 * Math.sqrt((0.95 * 0.05) / 250))
    expect(ratio).toBeLessThan(1.05)
    expect(ratio).toBeGreaterThan(0.97)
  })
  it.each(["fair", "exact"] as const)("holds it as often with a %s one, and saves samples", (quality) => {
    const { covered, ratio } = simulate(100, quality)
    expect(covered).toBeGreaterThanOrEqual(0.91)
    expect(ratio).toBeLessThan({ fair: 0.85, exact: 0.45 }[quality])
  })
  it("does not depend on a covariate's scale, and says how many items it used", () => {
    const data = world(80, "fair", createRandom(1))
    const variate = controlVariate({ ...data, covariates: data.covariates.map((x, i) => (i < 10 ? null : x)) }, 1)
    const scaled = controlVariate(
      {
        ...data,
        covariates: data.covariates.map((x, i) => (i < 10 ? null : 100 * x)),
        others: data.others.map((x) => 100 * x),
      },
      1,
    )
    expect(variate).toMatchObject({ matched: 70, others: 480 })
    expect(scaled?.value).toBeCloseTo(variate?.value as number, 9)
  })
  it("adjusts nothing without other items, with few items, and where nothing varies", () => {
    const data = world(80, "fair", createRandom(2))
    expect(controlVariate({ ...data, others: [] }, 1)).toBeNull()
    expect(controlVariate(world(20, "fair", createRandom(3)), 1)).toBeNull()
    expect(controlVariate({ ...data, differences: new Array(80).fill(0.1) }, 1)).toBeNull()
  })
})
