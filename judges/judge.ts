import type { Generation } from "../src/core/generation.ts"
import { type Metric, scored, type Unscored } from "../src/core/metric/metric.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import type { GenerationParameters, Provider } from "../src/core/provider.ts"
import type { JudgeVerdict, PanelRow, UnscoredPanel } from "../src/core/report/section-judge.ts"
import type { Sample } from "../src/core/sample.ts"
import { judgeMetric } from "./judge-metric.ts"

/** A model with a rubric. Usable as a metric as it is, and as a member of a {@link panel}. @public */
export interface Judge extends Metric<PanelRow> {
  /** Name within a panel: the provider's label by default. */
  readonly judge: string
  readonly provider: Provider
  /** The verdict on one answer. Never throws for a judge that fails. */
  verdict(sample: Sample, generation: Generation, tools: MetricTools): Promise<JudgeVerdict>
}

/** What all kinds of judges take. @public */
export interface JudgeOptions {
  readonly provider: Provider
  /** Name of the metric; by default that of the rubric or kind. */
  readonly name?: string
  /** Name within a panel, in judge cards and in ledgers; the provider's label by default. */
  readonly judge?: string
  /** How often each verdict is asked for; the mean counts and the spread is the judge's noise. Default 1. */
  readonly repeats?: number
  /** Temperature is 0 unless stated here. */
  readonly parameters?: Omit<GenerationParameters, "jsonSchema" | "structured" | "tools">
  /** Whether the judge may abstain. Default false. */
  readonly abstain?: boolean
  /** Characters of each text that it is shown, at most. Default 20,000. */
  readonly maxCharacters?: number
  /** Name of a metric of the config that is taken as the truth (`exactMatch`): the judge card reports their agreement. */
  readonly truth?: string
}

/** What a kind of judge states; the rest is filled in. */
export interface JudgeKind {
  readonly options: JudgeOptions
  readonly name: string
  readonly range: readonly [number, number]
  /** Default `higher`. */
  readonly direction?: Metric["direction"] | undefined
  /** Rubric, version and hash, and whatever else changes a verdict, as parts of the signature. */
  readonly signature: readonly string[]
  /** A caveat that is shown with the figure. */
  readonly note?: string | undefined
  /** Calls of one verdict; 1 by default. */
  readonly calls?: number
  verdict(sample: Sample, generation: Generation, tools: MetricTools): Promise<JudgeVerdict>
}

/** Temperature 0, and a seed of its own for every repeat (which also keeps repeats apart in the response cache). */
export function judgeParameters(options: JudgeOptions, repeat: number): GenerationParameters {
  return { temperature: 0, maxTokens: 1_024, seed: repeat + 1, ...options.parameters }
}

/** Makes a judge of a kind: a panel of one, with itself as the member. */
export function createJudge(kind: JudgeKind): Judge {
  const { options, range, verdict } = kind
  const member = {
    judge: options.judge ?? options.provider.label,
    provider: options.provider,
    verdict,
  }
  const signature = [
    ...kind.signature,
    `model:${options.provider.label}`,
    `repeats:${options.repeats ?? 1}`,
    `temperature:${options.parameters?.temperature ?? 0}`,
    ...(options.abstain === true ? ["abstain:yes"] : []),
    ...(options.maxCharacters === undefined ? [] : [`characters:${options.maxCharacters}`]),
  ].join("|")
  const calls = Array.from({ length: (kind.calls ?? 1) * (options.repeats ?? 1) })
  const metric = judgeMetric({
    name: options.name ?? kind.name,
    range,
    direction: kind.direction,
    signature,
    truth: options.truth,
    note: kind.note,
    asks: calls.map(() => options.provider),
    asksWith: calls.map(() => judgeParameters(options, 0)),
    async measure(sample, generation, tools) {
      const said = await verdict(sample, generation, tools)
      const row = {
        kind: "panel" as const,
        range,
        disagreement: null,
        escalated: false,
        members: [said],
        dropped: [],
        ...(options.truth !== undefined && { truth: tools.valueOf(options.truth) ?? null }),
        answerCharacters: characters(generation.text),
      }
      if (said.score === null) return noVerdict(said, { ...row, score: null })
      return scored({ ...row, score: said.score })
    },
  })
  return { ...metric, ...member }
}

/** Length in characters (code points). */
export function characters(text: string): number {
  return [...text].length
}

/** The metric's answer where a judge gave no score: the judge's own reason. */
export function noVerdict({ code = "judge_failed", reason }: JudgeVerdict, details: UnscoredPanel): Unscored {
  return { status: "unscored", code, reason: reason ?? code, details }
}
