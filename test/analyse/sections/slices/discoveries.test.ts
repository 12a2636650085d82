import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../../metrics/match/exact-match.ts"
import { samplePositions } from "../../../../src/analyse/sections/slices/sample-positions.ts"
import { slicesSection } from "../../../../src/analyse/sections/slices/section.ts"
import type { SliceAxis } from "../../../../src/analyse/sections/slices/slice-axis.ts"
import type { ScoredVariant } from "../../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../../src/core/random.ts"
import type { SectionOfKind } from "../../../../src/core/report/report-sections.ts"
import { sized } from "../../../support/nightly.ts"
import { scoredVariant } from "../../../support/scored.ts"

const metric = exactMatch()
const perSlice = 100
const slices = 40
const worse = new Set([3, 27])
const ids = Array.from({ length: slices * perSlice }, (_, i) => `s${String(i).padStart(5, "0")}`)
const sliceOf = (i: number) => Math.floor(i / perSlice)

/** Two fields of twenty values each; a sample has one of them. */
const axes = [0, 1].map(
  (half): SliceAxis => ({
    axis: `field${half}`,
    title: `field${half}`,
    note: null,
    slices: Array.from({ length: slices / 2 }, (_, k) => String(k + (half * slices) / 2)),
    of: Int16Array.from(ids, (_, i) =>
      Math.floor((2 * sliceOf(i)) / slices) === half ? sliceOf(i) % (slices / 2) : -1,
    ),
  }),
)

function variant(name: string, values: readonly number[]): ScoredVariant {
  const rows = ids.map((sampleId, i) => {
    const value = values[i] as number
    return { sampleId, repeat: 0, measured: { status: "scored", row: value } as const, value }
  })
  return { name, answers: [], rows: new Map([[metric.name, rows]]) }
}

/**
 * The slices that are said to have moved in one run: 80 % are right before, and one answer in eight changes by chance either way.
 *
 * @param loses the slices that lose `loss` more
 */
function movedIn(seed: string, loss: number, loses: (slice: number) => boolean): ReadonlySet<number> {
  const random = createRandom(seed)
  const before = ids.map(() => Number(random.next() < 0.8))
  const after = before.map((value, i) => {
    const lost = value === 1 && random.next() < 0.08 + (loses(sliceOf(i)) ? loss / 0.8 : 0)
    const won = value === 0 && random.next() < 0.32
    return lost ? 0 : won ? 1 : value
  })
  const { data } = slicesSection({
    baseline: variant("before", before),
    candidates: [variant("after", after)],
    read: { positions: samplePositions(ids), axes, leftOut: [] },
    evaluation: { metrics: [metric], primary: [metric.name], alpha: 0.05, seed: 1, missing: "worst" },
    isAskedFor: true,
  }) as SectionOfKind<"slices">
  return new Set(
    data.axes.flatMap(({ slices: rows }) =>
      rows.flatMap(({ slice, changes }) => (changes.some(({ moved }) => moved !== null) ? [Number(slice)] : [])),
    ),
  )
}

function simulate(loss: number, runs: number) {
  let falseShare = 0
  let count = 0
  for (let run = 0; run < runs; run++) {
    const moved = [...movedIn(`slices-${run}`, loss, (slice) => worse.has(slice))]
    const isTrue = (slice: number) => loss > 0 && worse.has(slice)
    falseShare += moved.filter((slice) => !isTrue(slice)).length / Math.max(1, moved.length) / runs
    count += moved.filter(isTrue).length / worse.size / runs
  }
  return { falseShare, found: count }
}

describe("of 40 slices of 100 samples, with a false discovery rate of 5 %", () => {
  it("two that lose 25 points are found in four of five cases, and of those that are named at most a tenth did not move", () => {
    const { falseShare, found } = simulate(0.25, sized(40, 10))
    expect(falseShare).toBeLessThanOrEqual(0.1)
    expect(found).toBeGreaterThanOrEqual(0.75)
  })
  it("none is named in nine of ten runs where none moved", () => {
    expect(simulate(0, sized(40, 10)).falseShare).toBeLessThanOrEqual(0.1)
  })
  it("a slice that the loss of all others spares is not called better for it", () => {
    const spared = Array.from({ length: sized(40, 10) }, (_, run) =>
      [...movedIn(`spared-${run}`, 0.25, (slice) => !worse.has(slice))].filter((slice) => worse.has(slice)),
    )
    expect(spared.flat().length).toBeLessThanOrEqual(spared.length / 10)
  })
  it("are the metrics' own: what the times of the answers show does not make them easier to claim", () => {
    const adjusted = ["field", "contextTokens"].map((axis) => {
      const timed = (name: string, ms: number) =>
        scoredVariant(
          name,
          metric.name,
          Array.from({ length: 80 }, (_, i) => ({
            id: ids[i] as string,
            value: Number(i % (name === "after" && i < 40 ? 3 : 5) !== 0),
            facts: { ttftMs: ms + (i % 7), e2eMs: 2 * ms + (i % 7) },
          })),
        )
      const { data } = slicesSection({
        baseline: timed("before", 100),
        candidates: [timed("after", 200)],
        read: {
          positions: samplePositions(ids.slice(0, 80)),
          axes: [
            {
              axis,
              title: axis,
              note: null,
              slices: ["a", "b"],
              of: Int16Array.from({ length: 80 }, (_, i) => +(i > 39)),
            },
          ],
          leftOut: [],
        },
        evaluation: { metrics: [metric], primary: [metric.name], alpha: 0.05, seed: 1, missing: "worst" },
        isAskedFor: true,
      }) as SectionOfKind<"slices">
      const changes = data.axes.flatMap(({ slices }) => slices.flatMap((row) => row.changes))
      expect(changes.some(({ figure, p }) => figure === "ttftMs" && p !== null && p < 0.001)).toBe(axis !== "field")
      return changes.filter(({ figure }) => figure === metric.name).map(({ pAdjusted }) => pAdjusted)
    })
    expect(adjusted[1]).toEqual(adjusted[0])
  })
})
