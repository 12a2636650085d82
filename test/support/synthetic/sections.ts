import type { Figure } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import type {
  CalibrationData,
  ConfusionData,
  ContextWindowData,
  FairnessData,
  JudgeCardData,
  LevelsData,
  LoadData,
  QuantizationData,
  ReportSection,
  RobustnessData,
  SectionDataByKind,
  SectionKind,
  SectionOfKind,
  TableData,
} from "../../../src/core/report/report-sections.ts"
import type { SlicesData } from "../../../src/core/report/section-slices.ts"

/** One section of every kind that the page draws, and one that it does not know. */
export function syntheticSections(variants: readonly VariantReport[]): ReportSection[] {
  const local = variants.filter((variant) => variant.quantization !== null)
  return [
    section("calibration", "Calibration", "m-f16 is right 4 points less often than it is sure.", calibration(local)),
    section(
      "divergence",
      "Divergence from the baseline",
      "m-q8_0 gives the same text as m-f16 in 71 % of answers.",
      divergence(local),
    ),
    section(
      "quantization",
      "Quantizations of tiny-m against m-f16",
      "m-q8_0: 2 right answers became wrong, and 4 wrong ones became right; a correct answer takes 9.2 % less time.",
      quantization(local),
    ),
    section("levels", "tiny-m by effort", "The knee is effort medium.", levels(variants)),
    section(
      "judge_card",
      "Judges",
      "Both judges agree with people as often as people agree with each other.",
      judges(),
    ),
    section("robustness", "Robustness", "Typing errors cost s-q8_0 6.1 points.", robustness(local)),
    section("fairness", "Fairness", "No gap between groups is larger than chance would make it.", fairness(local)),
    section(
      "confusion",
      "Which classes are taken for which",
      "m-q2_0 takes refund for complaint in 14 samples where m-f16 does not.",
      confusion(variants),
    ),
    section(
      "slices",
      "Slices of the samples",
      "m-q8_0 is worse than m-f16 on subject law (\u221213 points, 75 samples, adjusted p = 0.003).",
      slices(variants),
    ),
    section(
      "what_broke",
      "What broke",
      "m-q8_0 against m-f16: failure: http_5xx: HTTP # from the worker (14 answers, 0 of the baseline); 1 more line below.",
      whatBroke(variants),
    ),
    section(
      "citations",
      "Whether sentences rest on what they cite (citationRecall)",
      "m-q8_0: 71 % of an answer's sentences are supported by the passages that they cite; 9 % cite none.",
      citations(variants),
    ),
    section("load", "Load", "m-f16 saturates at 8 requests in flight.", load(local)),
    section(
      "context_window",
      "Use of the context window",
      "Every request fitted into the context window with room to spare; the fullest used 71.4 % (m-q2_0).",
      contextWindow(variants),
    ),
    section("json", "Something new", "Data that this report does not draw.", { words: 3, list: [1, 2] }),
  ]
}

function section<Kind extends SectionKind>(
  kind: Kind,
  title: string,
  sentence: string,
  data: SectionDataByKind[Kind],
): SectionOfKind<Kind> {
  return { kind, title, sentences: [sentence], data }
}

function point(value: number, half: number): Figure {
  return { status: "known", value, low: value - half, high: value + half, n: 300, method: "bootstrap 95 %" }
}

function calibration(variants: readonly VariantReport[]): CalibrationData {
  return {
    variants: variants.slice(0, 3).map((variant, index) => ({
      variant: variant.name,
      expectedCalibrationError: point(0.04 + 0.03 * index, 0.01),
      bins: Array.from({ length: 10 }, (_, bin) => {
        const confidence = 0.05 + 0.1 * bin
        const accuracy = Math.max(0, confidence - 0.08 * (index + 1) * confidence)
        return { confidence, accuracy, low: Math.max(0, accuracy - 0.05), high: accuracy + 0.05, count: 20 + 40 * bin }
      }),
    })),
  }
}

function divergence(variants: readonly VariantReport[]): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "same text", unit: "share" },
      { title: "first difference", unit: "tokens" },
    ],
    rows: variants
      .slice(1)
      .map((variant, index) => [variant.name, point(0.71 - 0.2 * index, 0.03), index === 2 ? null : 14 - index]),
  }
}

function slices(variants: readonly VariantReport[]): SlicesData {
  const [baseline, ...candidates] = variants
  const two = candidates.slice(0, 2)
  const metric = baseline?.quality[0]?.metric ?? ""
  const axis = (name: string, title: string, names: readonly string[]): SlicesData["axes"][number] => ({
    axis: name,
    title,
    note: null,
    small: { slices: 0, samples: 0, pooled: false },
    slices: names.map((slice, i) => ({
      slice,
      samples: 75 + i,
      levels: [],
      changes: two.flatMap(({ name: candidate }, k) => {
        const isWorse = i === 0 && k === 0
        const change = (figure: string, value: number) => ({
          candidate,
          figure,
          before: 0.8,
          after: 0.8 + value,
          difference: point(value, 0.04),
          rest: 0,
          p: isWorse ? 0.0001 : 0.4,
          pAdjusted: isWorse ? 0.003 : 0.6,
          moved: isWorse ? ("worse" as const) : null,
        })
        return [change(metric, isWorse ? -0.13 : 0.01 * i), change("e2eMs", -0.2), change("costUsd", -0.3)]
      }),
    })),
  })
  return {
    baseline: baseline?.name ?? "",
    figures: [
      { name: metric, unit: "share", direction: "higher" },
      { name: "e2eMs", unit: "ms", direction: "lower" },
      { name: "costUsd", unit: "usd", direction: "lower" },
    ],
    axes: [
      axis("metadata.subject", "subject", ["law", "history", "music"]),
      axis("promptLength", "prompt length", ["12 to 80 characters", "81 to 400 characters"]),
    ],
    leftOut: [],
  }
}

function whatBroke(variants: readonly VariantReport[]): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "kind" },
      { title: "what" },
      { title: "evidence" },
      { title: "samples, for example" },
    ],
    rows: variants.slice(1, 3).flatMap(({ name }) => [
      [name, "failure", "http_5xx: HTTP # from the worker", "14 answers, 0 of the baseline", "s-1, s-8, s-20"],
      [
        name,
        "losses",
        'input with "contract" and "clause"; answer refuses',
        "12 of 31 losses: 86 % of 14 samples, between 60 and 96; elsewhere 7 %; adjusted p < 0.001",
        "s-4",
      ],
    ]),
  }
}

function citations(variants: readonly VariantReport[]): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "answers" },
      { title: "sentences supported by what they cite", unit: "share" },
      { title: "sentences without a citation", unit: "share" },
      { title: "sentences" },
    ],
    rows: variants.slice(0, 3).map(({ name }, i) => [name, 300, point(0.71 - 0.1 * i, 0.03), point(0.09, 0.02), 912]),
  }
}

function levels(variants: readonly VariantReport[]): LevelsData {
  const three = variants.slice(0, 3)
  return {
    axis: "effort",
    of: "tiny-m",
    metrics: [{ name: three[0]?.quality[0]?.metric ?? "", unit: "share" }],
    levels: three.map((variant, i) => ({
      variant: variant.name,
      level: ["low", "medium", "high"][i] ?? "",
      quality: [variant.quality[0]?.figure ?? { status: "unknown", reason: "nothing was scored" }],
      firstAnswerMs: variant.speed.ttftMs.p50,
      e2eMs: variant.speed.e2eMs.p50,
      tokensPerAnswer: { status: "known", value: 40 * (i + 1), n: 10, method: "mean" },
      costUsd: { status: "known", value: 0.001 * (i + 1), n: 10, method: "mean" },
      verdict: (["inconclusive", "non_inferior", null] as const)[i] ?? null,
      share: [0.1, 0.85, 0.05][i] ?? null,
      without: [],
    })),
    knee: {
      variant: three[1]?.name ?? "",
      best: three[2]?.name ?? "",
      cheapBy: "costUsd",
      low: three[0]?.name ?? "",
      high: three[1]?.name ?? "",
      resamples: 1000,
      margin: 0.02,
    },
  }
}

function quantization(variants: readonly VariantReport[]): QuantizationData {
  const measures = [
    { name: "lost", title: "right \u2192 wrong", explanation: "answers that were right and are wrong now, of all" },
    { name: "perplexity", title: "perplexity", explanation: "how much more surprised it is by given texts" },
    { name: "timePerCorrect", title: "time per correct answer", explanation: "wrong answers take time, too" },
  ]
  return {
    model: "tiny-m",
    reference: "m-f16",
    measures,
    variants: variants
      .filter(({ baseline, model }) => !baseline && model === "tiny-m")
      .map(({ name, quantization }, i) => ({
        variant: name,
        quantization: quantization ?? "",
        figures: [
          { figure: point(0.002 + 0.01 * i, 0.001), text: `${2 + 9 * i} of 900 (0.1 to ${1 + i} %)` },
          { figure: { status: "unknown", reason: "no texts were given to be scored" }, text: "unknown" },
          { figure: point(-0.092, 0.02), text: "\u22129.2 % (\u221211.2 to \u22127.2)" },
        ],
      })),
    ranking: "Divergence from m-f16 in nats per token, smallest first: m-q8_0 (0.001), then m-q4_0 (0.03).",
    notMeasured: "Not measured: perplexity (no texts were given to be scored).",
  }
}

function judges(): JudgeCardData {
  const figures = {
    "agreement with humans": point(0.84, 0.03),
    "position flips": point(0.06, 0.02),
    "length slope": point(0.012, 0.008),
  }
  return {
    judges: [
      { judge: "big-70b", figures, units: { "agreement with humans": "share", "position flips": "share" } },
      {
        judge: "other-judge",
        figures: { ...figures, "length slope": { status: "unknown", reason: "needs 100 pairs" } },
      },
    ],
  }
}

function robustness(variants: readonly VariantReport[]): RobustnessData {
  const rows = variants.flatMap((variant, index) =>
    ["typing errors", "upper case"].map((perturbation, position) => ({
      variant: variant.name,
      perturbation,
      drop: point(-0.02 * (index + position), 0.01),
    })),
  )
  return { metric: "exact_match", unit: "share", rows }
}

function fairness(variants: readonly VariantReport[]): FairnessData {
  return {
    metric: "exact_match",
    unit: "share",
    variants: variants.map((variant) => ({
      variant: variant.name,
      groups: { north: point(0.81, 0.04), south: point(0.79, 0.04) },
      gap: point(0.02, 0.05),
    })),
  }
}

function confusion(variants: readonly VariantReport[]): ConfusionData {
  const labels = ["refund", "complaint", "question about an order", "praise"]
  const [baseline, ...others] = variants.map(({ name }) => name)
  return {
    labels,
    variants: variants.slice(0, 3).map(({ name: variant }, index) => ({
      variant,
      counts: labels.map((_, row) =>
        labels.map((_, column) => (row === column ? 60 - 9 * index : 4 * index)).concat(index),
      ),
      classes: labels.map((_, row) => ({
        precision: point(0.9 - 0.1 * index, 0.05),
        recall: row === 3 ? { status: "unknown", reason: "no sample is of the class" } : point(0.9 - 0.1 * index, 0.05),
        f1: 0.9 - 0.1 * index,
      })),
    })),
    changes: others.slice(0, 2).map((variant) => ({
      variant,
      baseline: baseline ?? "",
      actual: "refund",
      predicted: variant === others[0] ? null : "complaint",
      added: 14,
      removed: 2,
      p: 0.0042,
    })),
  }
}

function load(variants: readonly VariantReport[]): LoadData {
  return {
    axis: "concurrency",
    variants: variants.slice(0, 2).map((variant, index) => ({
      variant: variant.name,
      saturation: index === 0 ? 8 : null,
      points: [1, 2, 4, 8, 16, 32].map((amount) => ({
        load: amount,
        requestsPerSecond: (320 * amount) / (amount + 4 + index),
        tokensPerSecond: 900 * amount,
        ttftP99Ms: 3 + amount / 2,
        e2eP99Ms: 9 + amount,
        failed: 0,
      })),
    })),
  }
}

function contextWindow(variants: readonly VariantReport[]): ContextWindowData {
  const without: Figure = { status: "unknown", reason: "the model's context window is not known" }
  const exact = (value: number, method = "counted"): Figure => ({ status: "known", value, n: 300, method })
  return {
    variants: variants.map(({ name, quantization }, index) => {
      const of = (figure: Figure) => (quantization === null ? without : figure)
      return {
        variant: name,
        requests: 300,
        window: of(exact(512, "as the server states it")),
        p50: of(point(0.12 + 0.05 * index, 0.01)),
        p95: of(point(0.31 + 0.06 * index, 0.02)),
        largest: of(exact(0.45 + 0.066 * index)),
        nearlyFull: of(exact(0)),
        cutOff: of(exact(0)),
        atLimit: index,
        refused: 0,
      }
    }),
  }
}
