import type { Generation } from "../../core/generation.ts"
import { type Figure, type KnownFigure, unknown } from "../../core/report/figure.ts"
import type { VariantDifference, VariantReport } from "../../core/report/report.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import { createCostAccumulator } from "../../cost/cost-figures.ts"
import { priceAgeNote } from "../../cost/price-age.ts"
import { createTokenAccumulator } from "../../cost/token-totals.ts"
import { createServingFigures, type ServingFigures } from "../../estimate/serving-figures.ts"
import { answerFacts } from "../../perf/answer-facts.ts"
import { createContextUse } from "../../perf/context-use.ts"
import { createEpisodeTally, type EpisodeFigures } from "../../perf/episode/episode-tally.ts"
import { createReliability } from "../../perf/reliability.ts"
import { createSpeedAccumulator } from "../../perf/speed-figures.ts"
import type { LoadRates } from "../../perf/throughput.ts"
import { collectGarbage } from "../../platform/collect-garbage.ts"
import type { AnswerList } from "../../rows/columns/answer-list.ts"
import { type BareFacts, factsBuilder } from "../../rows/columns/fact-columns.ts"
import { hidden } from "../../text/redact.ts"
import { cutNotes, givenUpNotes } from "../../wording/answer-notes.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import { addFailure, createMessageClusters, type FailureCluster } from "../sections/causes/failure-clusters.ts"
import { createEnergyCounter, type EnergyCounter } from "./energy-figures.ts"
import type { MeasureSource } from "./measure-variant.ts"
import { createTextAccumulator } from "./text-figures.ts"
import type { VariantTask } from "./variant-task.ts"

/** What the answers of a variant say besides their scores: plain values. */
export interface AnswerFigures
  extends Pick<
    VariantReport,
    | "outcomes"
    | "retries"
    | "availability"
    | "reliability"
    | "speed"
    | "cost"
    | "tokens"
    | "text"
    | "contextUse"
    | "resources"
    | "notes"
  > {
  /** Null where it had no conversations and no loops over tools. */
  readonly episodes: EpisodeFigures | null
  readonly serving: ServingFigures
  /** Messages of its failures, the most frequent first. */
  readonly failures: readonly FailureCluster[]
  /** What its answers came without. */
  readonly differences: Pick<VariantReport, "differences" | "refusedRequests" | "redactedAnswers" | "answeredBy">
}

/** What is gathered of a variant's answers. */
export interface GatheredAnswers {
  readonly facts: BareFacts
  readonly figures: AnswerFigures
}

/** What answers are gathered with. */
export interface GatherOptions extends MeasureSource {
  /** The keys of the first metric's rows. */
  readonly keys: AnswerList
  correctness(sampleId: string, repeat: number): number | null
}

/** Reads a variant's answers once. The lists that it takes end with it: they are the largest that a report needs. */
export async function gatherAnswers(task: VariantTask, options: GatherOptions): Promise<GatheredAnswers> {
  const { runId, variant, alpha, price, planned, state } = task
  const { store, keys, correctness, turn } = options
  const speed = createSpeedAccumulator({ alpha, ...(task.timeLimitMs && { timeLimitMs: task.timeLimitMs }) })
  const reliability = createReliability(alpha)
  const cost = createCostAccumulator({
    price,
    judgeUsd: task.judgeUsd,
    alpha,
    ...(task.memberPrices && { memberPrices: task.memberPrices }),
  })
  const energy = createEnergyCounter(alpha, task.energy)
  const tokens = createTokenAccumulator()
  const text = createTextAccumulator(options.countTokens, planned, alpha)
  const contextUse = createContextUse(task.contextWindow, alpha)
  const facts = factsBuilder(options.answers.begin("facts"), keys.length)
  const cut = { alternatives: 0, all: 0 }
  const asked = createDifferences()
  const episodes = createEpisodeTally(alpha)
  const failures = createMessageClusters()
  const serving = createServingFigures(task, alpha)
  for (const generation of store.generations(runId, variant)) {
    const wait = turn()
    if (wait) await wait
    const correct = correctness(generation.sampleId, generation.repeat)
    speed.add(generation, correct)
    reliability.add(generation)
    cost.add(generation, correct, keys.sampleNumber(generation.sampleId))
    energy.add(generation, correct)
    tokens.add(generation)
    text.add(generation)
    contextUse.add(generation)
    facts.add(answerFacts(generation))
    if (generation.cutLogprobs) cut[generation.cutLogprobs]++
    asked.add(generation)
    episodes.add(generation, correct)
    addFailure(failures, generation)
    serving.add(generation)
  }
  const gathered = facts.bare()
  for (const { variant: name, attempt } of store.attempts(runId)) if (name === variant) cost.addAttempt(attempt)
  // Each makes copies of the numbers that it has: what the one before it left is given back first, in this thread and in others beside it.
  collectGarbage()
  const speedFigures = speed.figures()
  const reliabilityFigures = reliability.figures()
  const rates = speed.rates()
  speed.release()
  const context = contextUse.figures()
  const costFigures = cost.figures(rates, null)
  collectGarbage()
  const priceAge = priceAgeNote(price, task.startedAt)
  return {
    facts: gathered,
    figures: {
      episodes: episodes.figures(),
      failures: failures.clusters(),
      serving: serving.figures(),
      outcomes: speed.outcomes(),
      retries: speed.retries(),
      availability: speed.availability(),
      ...(reliabilityFigures && { reliability: reliabilityFigures }),
      speed: speedFigures,
      cost: costFigures,
      tokens: tokens.figures(),
      text: text.figures(costFigures),
      contextUse: context,
      resources: resourceFigures(state, energy, rates),
      differences: asked.figures(),
      notes: [
        ...(state?.notes ?? []),
        ...givenUpNotes(state, planned - gathered.length),
        ...task.remarks,
        ...asked.notes(),
        ...context.warnings.map((warning) => `context window: ${warning}`),
        ...(priceAge === null ? [] : [priceAge]),
        ...cutNotes(cut),
      ],
    },
  }
}

function resourceFigures(
  state: VariantState | null,
  energy: EnergyCounter,
  rates: LoadRates,
): VariantReport["resources"] {
  const resources = state?.resources
  const reason = resources?.reason ?? state?.failure ?? noFigure.serverNotOnRecord
  const figure = (value: number | null | undefined, method: string): Figure =>
    value === null || value === undefined
      ? unknown(reason)
      : ({ status: "known", value, n: 1, method } satisfies KnownFigure)
  return {
    modelBytes: figure(resources?.modelBytes, methods.fileSize),
    peakRssBytes: figure(resources?.peakRssBytes, methods.resident),
    rssOverIdleBytes: figure(resources?.rssOverIdleBytes, methods.overIdle),
    loadMs: figure(resources?.loadMs, methods.serverStart),
    cpuSeconds: figure(resources?.cpuSeconds, methods.processorTime),
    ...energy.figures(resources, reason, rates),
  }
}

/** Counts what a variant's answers came without, the requests that it took to find out, and answers that a secret was taken out of. */
function createDifferences() {
  const byKey = new Map<string, VariantDifference>()
  const answeredBy = new Map<string, number>()
  let refusedRequests = 0
  let redactedAnswers = 0
  const sorted = (): [string, number][] => [...answeredBy].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    add({ differences = [], refused = [], answeredBy: by, text }: Generation): void {
      if (text.includes(hidden)) redactedAnswers++
      if (by !== undefined) answeredBy.set(by, (answeredBy.get(by) ?? 0) + 1)
      refusedRequests += refused.length
      for (const difference of differences)
        byKey.set(difference.parameter, { ...difference, answers: (byKey.get(difference.parameter)?.answers ?? 0) + 1 })
    },
    figures(): Pick<VariantReport, "differences" | "refusedRequests" | "redactedAnswers" | "answeredBy"> {
      return {
        ...(byKey.size > 0 && { differences: [...byKey.values()] }),
        ...(answeredBy.size > 0 && { answeredBy: Object.fromEntries(sorted()) }),
        ...(refusedRequests > 0 && { refusedRequests }),
        ...(redactedAnswers > 0 && { redactedAnswers }),
      }
    },
    notes(): readonly string[] {
      if (answeredBy.size === 0) return []
      return [
        `answered by ${sorted()
          .map(([label, answers]) => `${label}: ${answers}`)
          .join(", ")}`,
      ]
    },
  }
}
