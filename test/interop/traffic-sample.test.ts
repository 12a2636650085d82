import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { ForeignLog, ForeignRecord } from "../../src/core/foreign/foreign-log.ts"
import { isRecord } from "../../src/core/foreign/foreign-log.ts"
import { createRandom } from "../../src/core/random.ts"
import { foreignAnswer } from "../../src/interop/foreign-answer.ts"
import { foreignSample } from "../../src/interop/foreign-sample.ts"
import { draw, sampleOfTraffic, type TrafficCall } from "../../src/interop/traffic-sample.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const subjects = "refund parcel password battery recipe contract vaccine mortgage poem visa".split(" ")
const endings = ["", "s", "ing", "ed", "er", "able", "less", "ful", "ness", "ish"]
const filler =
  "please tell me how long it takes and what should be done when nothing works because our customers keep asking every week".split(
    " ",
  )
/** How many of 2,000 calls are about each subject. */
const sizes = [700, 500, 300, 200, 120, 80, 50, 30, 12, 8]

/** Calls about known subjects, a fifth of them questions of a few that come again and again, shuffled by the seed; a share of all. */
function traffic(seed: number, share = 1): ForeignRecord[] {
  const random = createRandom(seed)
  const asked = new Map<string, number>()
  const about = random.shuffle(sizes.flatMap((size, subject) => Array<number>(size * share).fill(subject)))
  return about.map((subject, i): ForeignRecord => {
    const isOften = random.next() < 0.2
    const own = isOften ? createRandom(`${subject} ${random.integer(3)}`) : random
    const words = Array.from({ length: 14 + own.integer(12) }, () =>
      own.next() < 0.4
        ? subjects[subject] + (endings[own.integer(10)] as string)
        : (filler[own.integer(filler.length)] as string),
    )
    const input = isOften ? words.join(" ") : `${words.join(" ")} number ${i}`
    const repeat = asked.get(input) ?? 0
    asked.set(input, repeat + 1)
    const answer = foreignAnswer({ text: "yes ".repeat(1 + random.integer(40)), costUsd: (1 + subject) / 1000 }, "x")
    const sample = foreignSample({ id: `q-${input}`, input, metadata: { subject: subject } })
    return { variant: "now", sample, repeat, answer, scores: {}, where: `x:${i}` }
  })
}

const logOf = (records: readonly ForeignRecord[]): ForeignLog => ({
  ...{ tool: "litellm", file: "x", dataset: "x", startedAt: null, metrics: new Map(), notes: [] },
  async *records() {
    yield* records
  },
})

async function drawnOf(log: ForeignLog): Promise<readonly ForeignRecord[]> {
  const all: ForeignRecord[] = []
  for await (const read of log.records()) if (isRecord(read)) all.push(read)
  return all
}

function grouped(records: readonly ForeignRecord[], by: (record: ForeignRecord) => unknown) {
  const groups = new Map<unknown, ForeignRecord[]>()
  for (const record of records) groups.set(by(record), [...(groups.get(by(record)) ?? []), record])
  return groups
}

describe("a sample of traffic", () => {
  const records = traffic(1)

  it("has the known clusters in the parts that they have of the traffic, and says what it covers", async () => {
    const log = await sampleOfTraffic(logOf(records), 100, 7)
    const drawn = await drawnOf(log)
    expect(drawn).toHaveLength(100)
    const counts = subjects.map((_, k) => drawn.filter(({ sample }) => sample.metadata.subject === k).length)
    for (const [k, n] of counts.entries())
      expect(Math.abs(n - (sizes[k] as number) / 20), `${counts}`).toBeLessThanOrEqual(1)
    const named = new Set(drawn.map(({ sample }) => sample.metadata.traffic_cluster))
    expect([...named].every((name) => subjects.some((subject) => String(name).startsWith(subject)))).toBe(true)
    const covered = counts.filter((n) => n > 0).length
    expect(log.notes.at(-1)).toMatch(
      new RegExp(
        `^100 of 2,000 calls: (?:${covered} of )?10 clusters, .*of the calls, .*of the cost; .*each stands for 20`,
      ),
    )
  })

  it("draws the same of every order of the log, and other calls with another seed", async () => {
    const ids = async (log: readonly ForeignRecord[], seed: number) =>
      (await drawnOf(await sampleOfTraffic(logOf(log), 50, seed))).map(({ sample }) => sample.input).sort()
    const forth = await ids(records, 3)
    expect(await ids(records.toReversed(), 3)).toEqual(forth)
    expect(await ids(records, 4)).not.toEqual(forth)
  })

  it("makes of a question that is drawn again a sample of its own in one cluster, and keeps answers to one call together", async () => {
    const both = records.flatMap((record) => [record, { ...record, variant: "new" }])
    const drawn = await drawnOf(await sampleOfTraffic(logOf(both), 400, 7))
    expect(drawn).toHaveLength(800)
    const byId = grouped(drawn, ({ sample }) => sample.id)
    expect(byId.size).toBe(400)
    for (const own of byId.values()) expect(own.map(({ variant }) => variant)).toEqual(["now", "new"])
    const second = grouped(drawn, ({ sample }) => sample.input)
    const several = [...second.values()].filter((own) => own.length > 2)
    expect(several.length).toBeGreaterThan(5)
    for (const own of several) expect(new Set(own.map(({ sample }) => sample.cluster)).size).toBe(1)
    expect(drawn.every(({ repeat }) => repeat === 0)).toBe(true)
    const all = logOf(records.slice(0, 20))
    expect(await sampleOfTraffic(all, 20, 1)).toBe(all)
  })

  it("takes clusters by embeddings where it is given some, and names them by their words", async () => {
    const embedded: string[] = []
    // Subjects in pairs: what words would tell apart.
    const embed = async (some: readonly string[]) => {
      embedded.push(...some)
      return some.map((text) => {
        const pair = subjects.findIndex((subject) => text.includes(subject)) >> 1
        return Float32Array.from({ length: 8 }, (_, i) => Number(i === pair))
      })
    }
    const log = await sampleOfTraffic(logOf(records), 100, 7, embed)
    expect(log.notes.at(-1)).toMatch(/ 5 clusters, 100 % of the calls/)
    // Each text once: an embedding is what this costs.
    expect(embedded.length).toBe(new Set(embedded).size)
    const names = new Set((await drawnOf(log)).map(({ sample }) => String(sample.metadata.traffic_cluster)))
    expect(names.size).toBe(5)
    expect([...names].every((name) => subjects.some((subject) => name.includes(subject)))).toBe(true)
  })

  it("has plain means without bias over 200 seeds, and closer ones than a random draw", () => {
    const random = createRandom(9)
    const calls: (TrafficCall & { readonly value: number })[] = sizes.flatMap((size, topic) =>
      Array.from({ length: size }, () => {
        const length = 50 + random.integer(900)
        const value = topic / 10 + length / 4000 + random.next() / 4
        return {
          ...{ rank: "", topic, question: "", language: topic % 3 ? "en" : "de", outcome: "ok" as const },
          ...{ costUsd: length / 1e5, length, value },
        }
      }),
    )
    const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
    const truth = mean(calls.map(({ value }) => value))
    const means = (pick: (seed: number) => readonly number[]) =>
      Array.from({ length: 200 }, (_, seed) =>
        mean(pick(seed).map((index) => (calls[index] as { value: number }).value)),
      )
    const deviation = (values: readonly number[]) => Math.sqrt(mean(values.map((x) => (x - mean(values)) ** 2)))
    const ranked = (seed: number) => {
      const own = createRandom(seed)
      return calls.map((call) => ({ ...call, rank: own.next().toFixed(15) }))
    }
    const ours = means((seed) => draw(ranked(seed), 100, seed))
    const plain = means((seed) =>
      createRandom(seed)
        .shuffle(calls.map((_, index) => index))
        .slice(0, 100),
    )
    expect(Math.abs(mean(ours) - truth)).toBeLessThan((3 * deviation(ours)) / Math.sqrt(200))
    expect(deviation(ours)).toBeLessThan(deviation(plain) / 2)
  })
})

describe("import --sample of traffic", () => {
  const cwd = scratchDirectory()
  beforeAll(() => {
    const lines = traffic(2, 0.5).map(({ sample: { input }, answer }, i) =>
      JSON.stringify({
        ...{
          call_type: "acompletion",
          model: "gpt-now",
          response_cost: 0.001,
          startTime: 1e9,
          endTime: 1e9 + 1,
          status: "success",
        },
        ...{
          id: `c${i}`,
          messages: [{ role: "user", content: input }],
          response: { choices: [{ message: { role: "assistant", content: answer?.text } }] },
        },
      }),
    )
    writeFileSync(join(cwd, "calls.jsonl"), lines.join("\n"))
  })

  it("writes a data set that can be asked again, and says what it covers", async () => {
    const { stdout, code } = await callCli(["import", "calls.jsonl", "--sample", "120", "--as-dataset", "set"], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/120 of 1,000 calls: (?:\d+ of )?10 clusters, .* of the calls, .* of the cost/)
    const rows = readFileSync(join(cwd, "set", "samples.jsonl"), "utf8")
      .trim()
      .split("\n")
    expect(new Set(rows.map((row) => JSON.parse(row).id)).size).toBe(120)
    expect(JSON.parse(rows[0] as string).references).toBeUndefined()
  })

  it("takes the calls of one model where it is named, and says how to where it is not", async () => {
    const [first, ...rest] = readFileSync(join(cwd, "calls.jsonl"), "utf8").split("\n")
    const other = rest.map((line, i) => (i % 4 === 0 ? line.replace("gpt-now", "gpt-mini") : line))
    writeFileSync(join(cwd, "mixed.jsonl"), [first, ...other].join("\n"))
    const take = (file: string, folder: string) =>
      callCli(["import", file, "--sample", "120", "--as-dataset", folder], { cwd })
    const result = await take("mixed.jsonl:gpt-now", "one")
    expect(result.stdout).toMatch(/120 samples .*120 answers of gpt-now in.*\n {2}120 of 750 calls/)
    expect((await take("mixed.jsonl", "both")).stdout).toContain("import mixed.jsonl:gpt-mini takes its calls alone")
    expect(await take("mixed.jsonl:gpt-x", "none")).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('no variant "gpt-x"') },
    })
    const { calls } = JSON.parse((await callCli(["inventory", "mixed.jsonl:gpt-mini", "--json"], { cwd })).stdout)
    expect(calls).toBe(250)
  })

  it("writes what the incumbent answered as what is expected, on demand", async () => {
    const options = ["--sample", "30", "--answers-as-references", "--as-dataset", "expected"]
    expect((await callCli(["import", "calls.jsonl", ...options], { cwd })).code).toBe(0)
    const rows = readFileSync(join(cwd, "expected", "samples.jsonl"), "utf8")
      .trim()
      .split("\n")
    for (const row of rows) {
      const { references, expectedTools } = JSON.parse(row)
      expect(references[0]).toMatch(/^(?:yes )+$/)
      expect(expectedTools).toEqual([])
    }
  })
})
