import type { JsonValue } from "../json.ts"
import type { MetricVerdict } from "./comparison.ts"
import type { Figure } from "./figure.ts"
import type { SlicesData } from "./section-slices.ts"

/**
 * What `ReportSection.data` holds, by `kind`: the report draws these by their kind alone. All are plain JSON; every list
 * names its variant, and a reader sees the section's sentences first. Sections of users' own metrics are of the kinds
 * `table` and `json`.
 * @public
 */
export interface SectionDataByKind {
  readonly calibration: CalibrationData
  readonly divergence: TableData
  readonly quantization: QuantizationData
  readonly judge_card: JudgeCardData
  readonly levels: LevelsData
  readonly robustness: RobustnessData
  readonly fairness: FairnessData
  readonly hallucination: TableData
  readonly load: LoadData
  readonly context_window: ContextWindowData
  readonly bias: TableData
  readonly citations: TableData
  readonly confusion: ConfusionData
  readonly early_stopping: TableData
  readonly perplexity: TableData
  readonly safety: TableData
  readonly slices: SlicesData
  readonly tokens: TableData
  readonly unread_answers: TableData
  readonly what_broke: TableData
  readonly win_rate: TableData
  readonly table: TableData
  readonly json: JsonValue
}

/** A kind of section that the report knows. @public */
export type SectionKind = keyof SectionDataByKind

/** A section of one kind, with the data of that kind. @public */
export interface SectionOfKind<Kind extends SectionKind> {
  readonly kind: Kind
  readonly title: string
  /** What a reader should take from it, first. */
  readonly sentences: readonly string[]
  readonly data: SectionDataByKind[Kind]
  /** One line of doubt for the terminal, which shows no sections: what a reader must not miss. */
  readonly caution?: string
  /** Sections of the kinds `table` and `json`: what they are about, in a word of their maker's. */
  readonly topic?: string
}

/**
 * A part of the report that a metric family adds: calibration diagram, judge card, robustness table … Its `kind` says of
 * what type its `data` is.
 * @public
 */
export type ReportSection = { readonly [Kind in SectionKind]: SectionOfKind<Kind> }[SectionKind]

/** Reliability diagrams: how often answers given with some confidence were right. @public */
export interface CalibrationData {
  readonly variants: readonly {
    readonly variant: string
    readonly expectedCalibrationError: Figure
    readonly bins: readonly {
      /** Mean confidence and share right of the answers in the bin, 0..1. */
      readonly confidence: number
      readonly accuracy: number
      /** Interval of the share right. */
      readonly low: number | null
      readonly high: number | null
      readonly count: number
    }[]
    /** Temperature scaling: fitted on one part of the answers, shown on the other. */
    readonly scaling?: {
      readonly temperature: number
      readonly fittedOn: number
      readonly shownOn: number
      /** Mean negative log-likelihood in nats on the part that it was not fitted on. */
      readonly lossBefore: number
      readonly lossAfter: number
      readonly improves: boolean
    }
    /** The same for every method of recalibration: temperature scaling, Platt scaling, isotonic regression. */
    readonly recalibrations?: readonly Recalibration[]
    /** By group of samples, where they have any. */
    readonly groups?: readonly {
      readonly group: string
      /** Mean confidence and share right, 0..1. */
      readonly confidence: number
      readonly accuracy: number
      readonly expectedCalibrationError: Figure
    }[]
  }[]
}

/** What recalibration does to answers that it was not fitted on. @public */
export interface Recalibration {
  readonly method: "temperature" | "platt" | "isotonic"
  readonly fittedOn: number
  readonly shownOn: number
  /** Mean negative log-likelihood in nats. */
  readonly lossBefore: number
  readonly lossAfter: number
  /** After − before; below 0 it helps. */
  readonly change: Figure
  /** Expected calibration error over 15 bins of equal width. */
  readonly errorBefore: number
  readonly errorAfter: number
  readonly improves: boolean
  /** Temperature scaling only. */
  readonly temperature?: number
}

/** What each quantization of a model changes against one of them. @public */
export interface QuantizationData {
  readonly model: string
  /** The variant that the others are compared with. */
  readonly reference: string
  /** Rows of the table, in order; `name` is for programs. */
  readonly measures: readonly { readonly name: string; readonly title: string; readonly explanation: string }[]
  readonly variants: readonly {
    readonly variant: string
    readonly quantization: string
    /** One per measure, in their order; `text` is how every output prints it. Changes are shares: −0.12 is 12 % less. */
    readonly figures: readonly { readonly figure: Figure; readonly text: string }[]
  }[]
  /** The order of their divergence as far as chance allows one, and what no variant has, with the reasons; null: nothing to say. */
  readonly ranking: string | null
  readonly notMeasured: string | null
}

/** What a variant does at each value of one axis of a sweep, and the cheapest value that is not worse than the best. @public */
export interface LevelsData {
  /** `effort`, `temperature` … */
  readonly axis: string
  /** The variant that was swept, with its values on other axes. */
  readonly of: string
  /** Figures of quality by name: the metrics that decide first. */
  readonly metrics: readonly { readonly name: string; readonly unit: string | null }[]
  /** In the sweep's own order. */
  readonly levels: readonly {
    readonly variant: string
    readonly level: string
    /** One per metric, in their order. */
    readonly quality: readonly Figure[]
    /** Median milliseconds to the first token that is not thinking. */
    readonly firstAnswerMs: Figure
    /** Median milliseconds. */
    readonly e2eMs: Figure
    /** The provider's own, hidden thinking included. Mean. */
    readonly tokensPerAnswer: Figure
    /** US dollars per query. */
    readonly costUsd: Figure
    /** The weakest of its verdicts against the other levels; null where no knee was looked for. */
    readonly verdict: MetricVerdict | null
    /** Share of the resamples that choose it as the knee, 0..1; null where none was looked for. */
    readonly share: number | null
    /** What its answers came without, such as a schema that the endpoint refused. */
    readonly without: readonly string[]
  }[]
  /** Null where none was looked for. */
  readonly knee: {
    /** The cheapest level that is shown to be not worse than any other; null where none is. */
    readonly variant: string | null
    /** The level with the best figure. */
    readonly best: string
    /** By what a level is cheap: dollars per query, else the median time, else tokens per answer. */
    readonly cheapBy: "costUsd" | "e2eMs" | "completionTokens"
    /** The cheapest and the dearest level between which the choice lies in 1 − alpha of the resamples; null: none is chosen. */
    readonly low: string | null
    readonly high: string | null
    readonly resamples: number
    readonly margin: number
  } | null
}

/** What is known of a judge itself. @public */
export interface JudgeCardData {
  /** What the metric says of itself, the first of the sentences. */
  readonly note?: string
  readonly judges: readonly {
    readonly judge: string
    /** Named figures: `agreement with humans`, `position flips`, `length slope`, `repeat noise`, `cost per verdict` … */
    readonly figures: Readonly<Record<string, Figure>>
    /** Units by figure name (`share`, `usd`, `ms`); absent: a plain score. */
    readonly units?: Readonly<Record<string, string>>
  }[]
}

/** Drops under perturbations: perturbed minus clean, by variant and perturbation. @public */
export interface RobustnessData {
  readonly metric: string
  readonly unit: string | null
  readonly rows: readonly {
    readonly variant: string
    readonly perturbation: string
    /** With its own interval, not adjusted. */
    readonly drop: Figure
    /** Two-sided, of no change; null where nothing can be tested, absent in reports of before it was stored. */
    readonly p?: number | null
    /** By Benjamini and Hochberg over all rows. */
    readonly pAdjusted?: number | null
  }[]
  /** Over all perturbations of a sample: the worst score, and the share of answers whose text stayed the same. */
  readonly summaries?: readonly { readonly variant: string; readonly worstCase: Figure; readonly invariance: Figure }[]
}

/** Which classes answers take for which. @public */
export interface ConfusionData {
  readonly labels: readonly string[]
  readonly variants: readonly {
    readonly variant: string
    /** Answers by true class (rows) and by the class that they name (columns, the last: none that can be read). */
    readonly counts: readonly (readonly number[])[]
    /** By class, in the order of the labels. */
    readonly classes: readonly {
      /** Of the answers that name the class, those that are right. */
      readonly precision: Figure
      /** Of the samples of the class, those whose answer names it. */
      readonly recall: Figure
      /** Harmonic mean of both, 0..1. */
      readonly f1: number
    }[]
  }[]
  /** Confusions that more or fewer answers of a variant make than the baseline's to the same samples, the largest change first. */
  readonly changes: readonly {
    readonly variant: string
    readonly baseline: string
    readonly actual: string
    /** Null: no class can be read from the answer. */
    readonly predicted: string | null
    /** Samples that are confused so by the variant and not by the baseline, and the reverse. */
    readonly added: number
    readonly removed: number
    /** Two-sided exact sign test, adjusted by Holm over the confusions of the variant. */
    readonly p: number
  }[]
}

/** A metric by group of samples, and the largest gap between groups. @public */
export interface FairnessData {
  readonly metric: string
  readonly unit: string | null
  readonly variants: readonly {
    readonly variant: string
    readonly groups: Readonly<Record<string, Figure>>
    readonly gap: Figure
  }[]
}

/** Throughput and latency against concurrency or arrival rate. @public */
export interface LoadData {
  /** `concurrency` or `requestsPerSecond`. */
  readonly axis: string
  readonly variants: readonly {
    readonly variant: string
    readonly points: readonly {
      readonly load: number
      readonly requestsPerSecond: number
      readonly tokensPerSecond: number | null
      readonly ttftP99Ms: number | null
      readonly e2eP99Ms: number | null
      readonly failed: number
    }[]
    /** The load from which on more brings nothing; null when it was not reached. */
    readonly saturation: number | null
  }[]
}

/** How much of each variant's context window prompt and answer used. @public */
export interface ContextWindowData {
  readonly variants: readonly {
    readonly variant: string
    /** Requests that were answered or failed. */
    readonly requests: number
    /** Tokens that the window holds. */
    readonly window: Figure
    /** (prompt + output tokens) / window over the requests, 0..1; a little over 1 where the stated window is too small. */
    readonly p50: Figure
    readonly p95: Figure
    readonly largest: Figure
    /** Requests that used more than 90 % of it. */
    readonly nearlyFull: Figure
    /** Answers that ended at their limit with the window full. */
    readonly cutOff: Figure
    /** Answers that ended at a token limit, whichever. */
    readonly atLimit: number
    /** Requests that the endpoint refused because they would not fit. */
    readonly refused: number
  }[]
}

/** A plain table: the form for everything that needs no chart. @public */
export interface TableData {
  readonly columns: readonly { readonly title: string; readonly unit?: string }[]
  /** Cells in the columns' order: a text, a number, a figure, or null for "does not apply". */
  readonly rows: readonly (readonly (string | number | Figure | null)[])[]
}
