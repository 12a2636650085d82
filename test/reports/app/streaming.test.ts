import { expect, it } from "vitest"
import { timeFigures, tokenFigure } from "../../../reports/app/bench/streaming.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"

it("shows the whole seconds of a load alone, in its variant\u2019s colour, and no fall where the load ended within a second", async () => {
  const result = await sweptBench(["a", "b"])
  const lasting = (durationMs: number, ended: readonly number[]) => ({
    ...result,
    levels: result.levels.map(
      (level): BenchLevel => ({
        ...level,
        durationMs,
        speed: {
          ...level.speed,
          overTime: ended.map((count, second) => ({
            second,
            started: count,
            ended: count,
            tokens: 5 * count,
            failed: 1,
          })),
        },
      }),
    ),
  })
  expect(timeFigures(lasting(1350, [67, 23]))).toEqual([])
  const [, a, , b] = timeFigures(lasting(2350, [67, 66, 23]))
  const requests = (color: number) => [
    { name: "ended", color, points: [67, 66].map((y, x) => ({ x, y })) },
    { name: "failed", color, dashed: true, points: [1, 1].map((y, x) => ({ x, y })) },
  ]
  expect([a?.series, b?.series]).toEqual([requests(0), requests(1)])
})

it("says beyond which length no answer was measured, where its lines go on", async () => {
  const result = await sweptBench(["a", "b"])
  const written = (longestTokens: number) =>
    tokenFigure({ ...result, levels: result.levels.map((own) => ({ ...own, speed: { ...own.speed, longestTokens } })) })
  expect(written(64).note).toMatch(/The longest answer measured has 64 tokens: beyond it the lines are continued\.$/)
  expect(written(500).note).not.toContain("continued")
  // A load of which nothing was answered knows none.
  const levels = result.levels.map(({ speed: { longestTokens, ...speed }, ...entry }, i) => ({
    ...entry,
    speed: i === 0 ? speed : { ...speed, longestTokens: 64 },
  }))
  expect(tokenFigure({ ...result, levels }).note).toContain("64 tokens")
  const unsaid = levels.map((level) => ({ ...level, speed: levels[0]?.speed ?? level.speed }))
  expect(tokenFigure({ ...result, levels: unsaid }).note).not.toContain("continued")
})

it("cuts a line where it leaves the chart, and lays none along its edge", async () => {
  const result = await sweptBench(["a"])
  const slow = (value: number) => ({ status: "known", value, n: 1, method: "test" }) as const
  const level = result.levels[0] as BenchLevel
  const { ttftMs, tpotMs } = level.speed
  const speed = { ...level.speed, ttftMs: { ...ttftMs, p50: slow(2_000) }, tpotMs: { ...tpotMs, p50: slow(1_000) } }
  const { series, yMax } = tokenFigure({ ...result, levels: [{ ...level, speed }] })
  const points = series[0]?.points ?? []
  const last = points.at(-1)
  expect(last?.y).toBe(yMax)
  // The n-th token comes after 2 s and n − 1 further seconds.
  expect(last?.x).toBeCloseTo((yMax as number) - 1, 6)
  expect(points.filter(({ y }) => y === yMax)).toHaveLength(1)
})
