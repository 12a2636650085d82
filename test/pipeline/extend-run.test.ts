import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { limitDataset } from "../../datasets/part/limit.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { tokenF1 } from "../../metrics/overlap/token-f1.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { EvaluateOptions } from "../../src/pipeline/evaluate.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"

const rows = Array.from({ length: 400 }, (_, i) => ({ id: `s${i}`, input: `say s${i}`, reference: `s${i}` }))

function variants() {
  const answering = (name: string, wrongEvery: number) =>
    fakeProvider(name, ({ messages }) => {
      const said = String(messages[0]?.content).replace("say ", "")
      return fakeAnswer(Number(said.slice(1)) % wrongEvery === 1 ? "wrong" : said)
    })
  return { base: answering("base", 1000), same: answering("same", 40) }
}

function workplace() {
  const store = openRunStore(scratchDirectory())
  const providers = variants()
  let number = 0
  const run = async (limit: number, options: Partial<EvaluateOptions> = {}, margin = 0.05) => {
    const evaluation = await validateConfig({
      name: "extended",
      dataset: inline(rows),
      variants: Object.entries(providers).map(([name, provider]) => ({ name, provider })),
      metrics: [exactMatch()],
      margin,
    })
    number++
    return runEvaluation({
      evaluation: { ...evaluation, dataset: limitDataset(evaluation.dataset as never, limit) },
      store,
      facts: { id: `run${number}`, startedAt: `2026-01-01T00:00:0${number}.000Z`, versions: {}, configPath: null },
      ...options,
    })
  }
  return { store, providers, run }
}

describe("extending a run of graded scores", () => {
  it.each([
    ["alone", 1, undefined],
    ["in repeats", 3, undefined],
    ["in clusters", 1, 5],
  ])("%s has a report whatever few samples were added", async (_, repeats, clusterSize) => {
    const store = openRunStore(scratchDirectory())
    const graded = rows.slice(0, 90).map((row, i) => ({
      ...{ id: row.id, input: row.input, reference: `${row.reference} and more words` },
      ...(clusterSize && { cluster: `c${Math.floor(i / clusterSize)}` }),
    }))
    const words = ["and", "more", "words", "and more", "and more words", "else"]
    const answering = (name: string, shift: number) =>
      fakeProvider(name, ({ messages }) => {
        const said = String(messages[0]?.content).replace("say ", "")
        return fakeAnswer(`${said} ${words[(Number(said.slice(1)) + shift) % words.length]}`)
      })
    const providers = { base: answering("base", 0), other: answering("other", 1) }
    const run = async (limit: number, options: Partial<EvaluateOptions> = {}) => {
      const evaluation = await validateConfig({
        ...{ name: "graded", dataset: inline(graded), metrics: [tokenF1()], margin: 0.05, repeats },
        variants: Object.entries(providers).map(([name, provider]) => ({ name, provider })),
      })
      return runEvaluation({
        evaluation: { ...evaluation, dataset: limitDataset(evaluation.dataset as never, limit) },
        store,
        facts: { id: `of${limit}`, startedAt: `2026-01-01T00:00:${limit % 60}.000Z`, versions: {}, configPath: null },
        ...options,
      })
    }
    await run(60)
    for (const limit of [65, 90]) {
      const { report } = await run(limit, { extend: null })
      const [metric] = report.comparisons[0]?.metrics ?? []
      expect(metric).toMatchObject({ pairs: limit, design: { kind: "stages" } })
      expect(metric?.difference).toEqual(expect.any(Number))
    }
  })
})

describe("extending a run", () => {
  it("keeps its answers, asks the rest, and reads both together at alpha", async () => {
    const { store, providers, run } = workplace()
    const first = await run(100)
    const [comparison] = first.report.comparisons
    expect(comparison?.quality).toBe("inconclusive")
    expect(comparison?.metrics[0]).toMatchObject({ neededAs: "extension", design: { samples: [100], more: true } })
    const needed = comparison?.neededSamples as number
    expect(comparison?.sentence).toContain(
      `About ${needed} more samples like these would settle it with a probability of 80 %: extend this run with --extend and --limit ${100 + needed}.`,
    )
    expect(comparison?.sentence).toContain("Read at 4.5 % instead of 5 %, so that the run may be extended.")
    const second = await run(300, { extend: null })
    expect(providers.base.requests).toHaveLength(300)
    expect(providers.same.requests).toHaveLength(300)
    expect(second.record.extension).toEqual({ of: "run1", samples: [100] })
    expect(second.report.variants.map(({ finished }) => finished)).toEqual([300, 300])
    const [after] = second.report.comparisons
    expect(after?.metrics[0]).toMatchObject({ pairs: 300, design: { samples: [100, 300], reading: 2, more: true } })
    expect(after?.sentence).toContain(
      "This run was extended: it was read after 100 and 300 samples, and both readings together err in at most 5 %.",
    )
    // A third reading knows of both, and the last sample leaves nothing for a fourth.
    const third = await run(400, { extend: second.record.id })
    expect(third.record.extension?.samples).toEqual([100, 300])
    expect(third.report.comparisons[0]?.metrics[0]?.design).toMatchObject({ samples: [100, 300, 400], more: false })
    await expect(run(401, { extend: third.record.id })).rejects.toThrow(/all of its error rate is spent/)
    store.close()
  })
  it("is refused for a run that kept nothing for it, and where anything but the number of samples has changed", async () => {
    const { store, run } = workplace()
    await expect(run(100, { extend: null })).rejects.toThrow(/no run of this name/)
    await run(400)
    await expect(run(400, { extend: null })).rejects.toThrow(/all of its error rate is spent/)
    await run(50)
    await expect(run(50, { extend: null })).rejects.toThrow(/set --limit above 50/)
    await expect(run(100, { extend: null }, 0.1)).rejects.toThrow(/has changed since the run: margin/)
    store.close()
  })

  it("is on record with the answers that it takes over, or not at all", async () => {
    const { store, run } = workplace()
    await run(60)
    const failing: typeof store = {
      ...store,
      saveRows: () => {
        throw new Error("killed")
      },
    }
    await expect(run(80, { extend: null, store: failing })).rejects.toThrow("killed")
    expect(store.runs().map(({ id }) => id)).toEqual(["run1"])
  })
})
