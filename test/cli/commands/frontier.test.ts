import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/commands/frontier.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()
writeFileSync(
  join(folder, "board.csv"),
  ["name,quality,cost,latency", "best,0.9,10,100", "fast,0.7,2,10", "beaten,0.6,5,50", "odd,0.5,,1"].join("\n"),
)

async function frontier(args: Record<string, unknown>, cwd = folder) {
  const io = fakeIo({ cwd })
  await command.run({ resamples: 200, seed: 1, json: true, ...args }, io)
  return io.stdout()
}

describe("evalkit frontier", () => {
  it("finds the frontier of any table and leaves unknown values out", async () => {
    const printed = await frontier({ file: "board.csv", maximize: ["quality"], minimize: ["cost,latency"] })
    const { members, excluded, points } = JSON.parse(printed)
    expect(members).toEqual(["best", "fast"])
    expect(excluded).toEqual([{ variant: "odd", reason: "cost is unknown" }])
    expect(points[2].dominatedBy).toEqual(["fast"])
  })
  it("draws rows jointly by sample and gives membership probabilities", async () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      ["x", "y"].map((name) => ({
        name,
        id: i,
        correct: Number(i % (name === "x" ? 3 : 4) !== 0),
        e2eMs: name === "x" ? 5 : 9,
      })),
    ).flat()
    writeFileSync(join(folder, "rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
    const printed = await frontier({ file: "rows.jsonl", maximize: ["correct"], minimize: ["e2eMs.p95"], sample: "id" })
    const { points } = JSON.parse(printed)
    expect(points[0].membershipProbability).toBe(1)
    expect(points[1].membershipProbability).toBeGreaterThan(0.5)
    expect(points[1].membershipProbability).toBeLessThan(1)
  })
  it("takes the ratio of two columns for an axis: dollars per solved task", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => [
      { name: "cheap", id: i, solved: Number(i % 4 === 0), usd: 1 },
      { name: "good", id: i, solved: Number(i % 4 !== 0), usd: 2 },
    ]).flat()
    writeFileSync(join(folder, "episodes.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
    const args = { file: "episodes.jsonl", maximize: ["solved"], minimize: ["usd/solved"], sample: "id" }
    const { points, members } = JSON.parse(await frontier(args))
    expect(members).toEqual(["good"])
    // 40 dollars over 10 solved, 80 over 30.
    expect(points.map(({ values }: { values: number[] }) => values[1])).toEqual([4, 80 / 30])
    expect(points[0].intervals[1].low).toBeLessThan(4)
    expect(points[0].intervals[1].high).toBeGreaterThan(4)
    writeFileSync(join(folder, "sums.csv"), "name,solved,usd\na,10,40\nb,0,5")
    const board = JSON.parse(await frontier({ file: "sums.csv", maximize: ["solved"], minimize: ["usd/solved"] }))
    expect(board.points[0].values[1]).toBe(4)
    expect(board.excluded).toEqual([{ variant: "b", reason: "usd/solved is unknown" }])
    await expect(frontier({ ...args, minimize: ["usd/never"] })).rejects.toThrow('"usd/never"')
  })
  it("gives intervals at the level that --alpha states", async () => {
    const rows = Array.from({ length: 80 }, (_, i) => ({ name: "x", id: i, correct: Number(i % 3 !== 0), e2eMs: i }))
    writeFileSync(join(folder, "level.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
    const interval = async (alpha?: number) => {
      const args = { file: "level.jsonl", maximize: ["correct"], minimize: ["e2eMs"], sample: "id", resamples: 1000 }
      const printed = JSON.parse(await frontier({ ...args, ...(alpha && { alpha }) }))
      const [{ low, high }] = printed.points[0].intervals
      return { level: printed.alpha, width: high - low }
    }
    const [wide, narrow] = [await interval(), await interval(0.32)]
    expect([wide.level, narrow.level]).toEqual([0.05, 0.32])
    // Two standard errors and one to each side.
    expect(wide.width / narrow.width).toBeCloseTo(1.96, 0)
    await expect(interval(5)).rejects.toThrow(/--alpha must be a number between 0 and 1/)
  })
  it("prints a table with what each member wins at", async () => {
    const printed = await frontier({
      file: "board.csv",
      maximize: ["quality"],
      minimize: ["cost"],
      constraint: ["cost < 5"],
      json: false,
    })
    expect(printed).toContain("2 of 3 variants are on the frontier")
    expect(printed).toMatch(/fast\s+0.7\s+2\s+\d+ % of weights: quality [\d to%]+ kept/)
    expect(printed).toContain("left out: 1 (cost is unknown)")
  })
  it("says which column is missing", async () => {
    await expect(frontier({ file: "board.csv", maximize: ["accuracy"] })).rejects.toThrow(
      /no row has a number in "accuracy"; columns: name, quality, cost, latency/,
    )
    await expect(frontier({ file: "board.csv" })).rejects.toThrow(/a frontier needs axes/)
    await expect(frontier({ file: "board.csv", maximize: ["quality"], id: "nope" })).rejects.toThrow(
      /a row has no "nope"; name the column with --id/,
    )
  })

  const reference = process.env.EVALKIT_REFERENCE_DATA
  if (!reference) console.warn("skipped: the frontier of aider's leaderboards needs EVALKIT_REFERENCE_DATA")
  it.skipIf(!reference).each(["polyglot_leaderboard", "edit_leaderboard", "quant"])(
    "is brute force's on aider's %s",
    async (board) => {
      const file = join(reference as string, `aider/${board}.jsonl`)
      const options = { file, maximize: ["pass_rate_2"], minimize: ["total_cost", "seconds_per_case"], id: "model" }
      const { points } = JSON.parse(await frontier(options))
      const rows: Record<string, number>[] = readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter((row) => ["pass_rate_2", "total_cost", "seconds_per_case"].every((key) => typeof row[key] === "number"))
      expect(points).toHaveLength(rows.length)
      rows.forEach((row, i) => {
        const cells = (r: Record<string, number>) => [
          -(r.pass_rate_2 as number),
          r.total_cost as number,
          r.seconds_per_case as number,
        ]
        const own = cells(row)
        const beaten = rows.some((other) => {
          const theirs = cells(other)
          return theirs.every((v, k) => v <= (own[k] as number)) && theirs.some((v, k) => v < (own[k] as number))
        })
        expect(points[i].onFrontier, String(row.model)).toBe(!beaten)
      })
    },
  )
})
