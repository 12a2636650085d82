import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { main } from "../../src/cli/main.ts"
import { levelText } from "../../src/words/percent.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"

const rows = Array.from({ length: 30 }, (_, i) => ({
  id: `s${i}`,
  input: `${i}`,
  reference: `word ${i}`,
  group: i % 2 ? "odd" : "even",
}))
const answers = (wrong: number) =>
  rows.map(({ id, reference }, i) => ({
    id,
    text: i % 10 < wrong ? `no idea at all ${i % 4}` : reference,
    ttftMs: 5 + (i % 4),
    e2eMs: 9 + (i % 7),
    usage: { promptTokens: 5, completionTokens: 3 },
    confidence: 0.5 + (i % 5) / 10,
  }))

/** A project whose runs are at this alpha: all that has an interval, of quality, speed, cost, fairness and calibration. */
function project(alpha: number): string {
  const cwd = scratchDirectory()
  const price = `{ kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 2, source: "list", date: "2026-01-01" }`
  writeFileSync(
    join(cwd, "eval.config.mjs"),
    `import { distinctN, exactMatch, expectedCalibrationError, groupAccuracy, recorded, tokenF1 } from "evalkit"
const price = ${price}
export default { alpha: ${alpha}, dataset: ${JSON.stringify(rows)},
  metrics: [exactMatch(), tokenF1(), groupAccuracy(), distinctN(), expectedCalibrationError({ confidence: "given" })],
  variants: [
    { name: "a", provider: recorded(${JSON.stringify(answers(1))}), price },
    { name: "b", provider: recorded(${JSON.stringify(answers(3))}), price },
    { name: "c", provider: recorded(${JSON.stringify(answers(5))}), price },
  ],
  gate: [{ figure: "exactMatch", notWorseThanBaselineBy: 0.05 }] }`,
  )
  writeFileSync(
    join(cwd, "score.config.mjs"),
    `import { exactMatch, tokenF1 } from "evalkit"\nexport default { alpha: ${alpha}, metrics: [exactMatch(), tokenF1()] }`,
  )
  const labels = rows.map(({ id }, i) => ({ id, judge: i % 3 ? 1 : 0, human: i % 4 ? 1 : 0, group: `g${i % 4}` }))
  writeFileSync(join(cwd, "labels.jsonl"), labels.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(cwd, "outputs.jsonl"),
    rows
      .map(
        ({ id, reference }, i) => `${JSON.stringify({ id, output: i % 3 ? reference : "?", references: reference })}\n`,
      )
      .join(""),
  )
  return cwd
}

const cells = [
  ["compare", "a", "b"],
  ["compare", "a", "b", "--json"],
  ["gate"],
  ["gate", "--json"],
  ["show"],
  ["trend", "a"],
  ["trend", "a", "--json"],
  ["plan", "--difference", "0.05", "--flips", "0.1", "--alpha", "0.1"],
  ["judge", "validate", "labels.jsonl", "--group", "group", "--drawn", "chance", "--alpha", "0.1"],
  ["score", "outputs.jsonl", "--config", "score.config.mjs"],
  ["report"],
  ...["md", "json", "csv", "junit", "html", "otlp-metrics"].map((format) => ["report", "--format", format]),
]

async function evalkit(cwd: string, ...argv: string[]): Promise<string> {
  const io = fakeIo({ cwd })
  await main(argv, io)
  return io.stdout() || io.stderr()
}

describe("a run at alpha 0.1", () => {
  const cwd = project(0.1)
  const outputs = new Map<string, string>()
  beforeAll(async () => {
    outputs.set("run", await evalkit(cwd, "run", "--no-html"))
    await evalkit(cwd, "run", "--no-html", "--seed", "7")
    for (const args of cells) {
      outputs.set(args.join(" "), await evalkit(cwd, ...args))
    }
  }, 120_000)

  it.each(["run", ...cells.map((args) => args.join(" "))])("says 95 %% of nothing: evalkit %s", (name) => {
    const said = outputs.get(name) ?? ""
    expect(said).not.toMatch(/^evalkit: /)
    expect(said.length).toBeGreaterThan(20)
    // A share of requests is no level.
    const levels = said.replaceAll(/95 % of them up to|filled as far as 95 %/g, "")
    expect(levels.match(/.{0,60}(?:95 ?%|1\.96\b|97\.5 ?%).{0,60}/g) ?? []).toEqual([])
  })

  it.each(["run", "compare a b", "report --format md", "report --format html", "report --format json"])(
    "says 90 %% where it says a level: evalkit %s",
    (name) => expect(outputs.get(name)).toContain("90 %"),
  )

  it("has narrower intervals than at 0.05, of every kind of figure", async () => {
    const usual = project(0.05)
    await evalkit(usual, "run", "--no-html", "--seed", "7")
    const [narrow, wide] = [
      figuresOf(JSON.parse(outputs.get("report --format json") ?? "")),
      figuresOf(JSON.parse(await evalkit(usual, "report", "--format", "json"))),
    ]
    const kinds = ["quality", "speed", "cost", "availability", "text", "comparisons", "sections"]
    for (const kind of kinds)
      expect(
        [...wide.keys()].some((path) => path.includes(kind)),
        kind,
      ).toBe(true)
    const same = [...wide].filter(([path, width]) => !((narrow.get(path)?.width ?? Number.NaN) < width.width))
    expect(same.filter(([, { isFree }]) => isFree)).toEqual([])
  }, 60_000)
})

interface Width {
  readonly width: number
  /** Whether another level must give another width: not where ranks or limits of the scale are the bounds. */
  readonly isFree: boolean
}

/** The width of the interval of every figure in a report, by its path. */
function figuresOf(value: unknown, path = "", result = new Map<string, Width>()): Map<string, Width> {
  if (typeof value !== "object" || value === null) return result
  const { low, high, method = "" } = value as { low?: unknown; high?: unknown; method?: string }
  if (typeof low === "number" && typeof high === "number" && high > low)
    result.set(path, { width: high - low, isFree: !/order-statistic/.test(method) })
  for (const [key, member] of Object.entries(value)) figuresOf(member, `${path}/${key}`, result)
  return result
}

describe("the words of a level", () => {
  it.each([
    [undefined, "95 %"],
    [0.01, "99 %"],
    [0.025, "97.5 %"],
  ])("for alpha %s", (alpha, level) => {
    expect(levelText(alpha)).toBe(level)
  })
})
