import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { readEntries } from "../../scripts/reference/entries.ts"
import { noTools, sampleOf } from "../metrics/lexical-fixtures.ts"
import { readExample, type WorkedExample } from "./worked-examples.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const examples = readEntries(root, new Map())
  .filter(
    ({ entries, signature }) =>
      entries.some((entry) => /^evalkit(?:\/metrics)?$/.test(entry)) &&
      /: (?:Detector)?\w*Metric(?:<|$)/m.test(signature),
  )
  .flatMap(({ name, examples: codes }) =>
    codes.map((code, i) => ({ name: `${name}${i > 0 ? ` (${i + 1})` : ""}`, code, worked: readExample(code) })),
  )
const worked = examples.flatMap(({ name, worked: example }) => (example ? [[name, example] as const] : []))

/** Metrics whose example is told in words, because it needs a judge, calls of tools, token probabilities or groups: their own tests compute them. */
const inWords = `
classification column lostPassages nearIdentity learnedScore classwiseCalibrationError debiasedCalibrationError
answerPerplexity divergence perplexity passAtK passHatK bbq counterfactualBias stereotypePreference winoBias
demographicParity equalOpportunity equalizedOdds groupAccuracy moderation refusalBalance toxicityDetectors
argumentF1 stepEfficiency taskCompletionCheck toolCorrectness custom meanMetric panel judged.answerRelevancy
judged.contextPrecision judged.contextRecall judged.contextRelevancy judged.faithfulness
judged.noiseSensitivity episodeMetrics.finalState episodeMetrics.needlessCalls episodeMetrics.onToolResults
episodeMetrics.wholeConversation episodeMetrics.perTurn episodeMetrics.policyViolations
episodeMetrics.resultUse episodeMetrics.toolRecovery finalState needlessCalls onToolResults wholeConversation
perTurn policyViolations resultUse toolRecovery judgedContextPrecision judgedContextRecall
judgedContextRelevancy judgedFaithfulness judgedNoiseSensitivity judgedAnswerRelevancy
`.split(/\s+/)

async function figureOf({ metric, answers }: WorkedExample): Promise<number | null> {
  const rows = await Promise.all(
    answers.map(async ({ sample, generation }) => {
      const { references = [], ...rest } = sample
      const measured = await metric.measure(
        sampleOf(references, rest),
        { ...generation, sampleId: rest.id ?? "s" },
        noTools,
      )
      if (measured.status !== "scored") throw new Error(`${measured.code}: ${measured.reason}`)
      return { row: measured.row, sampleId: rest.id ?? "s", repeat: generation.repeat }
    }),
  )
  const { value } = metric.summarise(rows)
  await metric.close?.()
  return value
}

describe("worked numbers of the reference", () => {
  it("are computed here, but for those that are told in words", () => {
    const lines = examples.flatMap(({ name, worked: example }) => (example ? [] : [name]))
    expect(
      lines.filter((name) => !inWords.includes(name)),
      "state the answers as other doc comments do",
    ).toEqual([])
    expect(worked.length).toBeGreaterThan(50)
  })

  it.each(worked)("%s comes out as its page says", async (_, example) => {
    const value = await figureOf(example)
    expect(
      Math.abs((value ?? Number.NaN) - example.expected),
      `${value} instead of ${example.expected}`,
    ).toBeLessThanOrEqual(example.tolerance)
  })
})
