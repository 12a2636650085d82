import type { Price } from "../../../src/core/cost.ts"
import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import { distribution, mean, rate } from "./figures.ts"
import type { Tally } from "./tally.ts"

const hourlyPrice: Price = {
  kind: "hourly",
  usdPerHour: 0.2,
  instances: 1,
  utilisation: 0.5,
  source: "hardware at $0.20 per hour",
  date: "2026-11-01",
}

const noText = unknown("not measured")
const noEnergy = unknown("this machine gives no energy counter")

/** The row of one variant; a hosted one shows nothing of its machine. */
export function variantReport(tally: Tally, size: number, baseline: boolean): VariantReport {
  const { variant: own } = tally
  const exact = (value: number, method: string): Figure => ({ status: "known", value, n: 1, method })
  const hosted = own.quantization === null
  const cost = mean(tally.usd)
  const scale = (figure: Figure, factor: number): Figure =>
    figure.status === "unknown"
      ? unknown("no price is known")
      : {
          ...figure,
          value: figure.value * factor,
          low: (figure.low as number) * factor,
          high: (figure.high as number) * factor,
        }
  const perSecond = tally.tpot.map((value) => 1000 / value)
  const accuracy = rate(tally.exact)
  const answered = tally.outcomes.get("ok") ?? 0
  const completionTokens = tally.exact.reduce((sum, _, index) => sum + 5 + (index % 4), 0)
  return {
    name: own.name,
    model: own.model,
    provider: hosted ? "https://api.example.com/v1" : "local GGUF",
    quantization: own.quantization,
    baseline,
    fingerprint: `f1-${own.name}`,
    planned: size,
    finished: size,
    outcomes: Object.fromEntries(tally.outcomes),
    retries: hosted ? 7 : 0,
    availability: rate(tally.exact.map((_, index) => Number(index < answered))),
    quality: [
      {
        metric: "exact_match",
        figure: accuracy,
        scored: size,
        total: size,
        unscored: {},
        unscoredCodes: {},
        details: null,
        groups: Object.fromEntries([...tally.groups].map(([name, values]) => [name, rate(values)])),
      },
      {
        metric: "chrf",
        figure: mean(tally.chrf),
        scored: tally.chrf.length,
        total: size,
        unscored: tally.chrf.length < size ? { empty_output: size - tally.chrf.length } : {},
        unscoredCodes: tally.chrf.length < size ? { empty_output: size - tally.chrf.length } : {},
        details: null,
        groups: {},
      },
      {
        metric: "expected_calibration_error",
        figure: hosted
          ? unknown("the endpoint gives no log-probabilities")
          : {
              status: "known",
              value: 0.21 - own.accuracy / 5,
              low: 0.18 - own.accuracy / 5,
              high: 0.24 - own.accuracy / 5,
              n: size,
              method: "15 equal-mass bins, bootstrap 95 %",
            },
        scored: hosted ? 0 : size,
        total: size,
        unscored: hosted ? { no_logprobs: size } : {},
        unscoredCodes: hosted ? { no_logprobs: size } : {},
        details: null,
        groups: {},
      },
    ],
    speed: {
      measured: answered,
      replayed: 0,
      ttftMs: distribution(tally.ttft),
      ttftFromIntentMs: distribution(tally.ttft.map((value) => value + 0.3)),
      e2eMs: distribution(tally.e2e),
      tpotMs: distribution(tally.tpot),
      itlMs: distribution(tally.tpot),
      queueWaitMs: distribution(tally.ttft.map(() => 0.3)),
      outputTokensPerSecond: distribution(perSecond),
      systemTokensPerSecond: mean(perSecond),
      requestsPerSecond: exact(size / (size * 0.0031), "requests over the window"),
      overTime: [...tally.overTime].map(([second, slot]) => ({ second, ...slot })),
    },
    cost: {
      totalUsd: scale(cost, size),
      perQueryUsd: scale(cost, 1),
      perThousandUsd: scale(cost, 1000),
      perCorrectUsd: scale(cost, accuracy.status === "known" ? 1 / accuracy.value : 1),
      failedUsd: cost.status === "known" ? exact(0, "sum") : unknown("no price is known"),
      judgeUsd: exact(0, "sum"),
      priceSource: hosted ? null : "hardware at $0.20 per hour, read 2026-11-01",
      ...(cost.status === "known" && { parts: { hardware: cost.value * size }, price: hourlyPrice }),
    },
    tokens: {
      prompt: exact(24 * size, "sum of reported usage"),
      completion: { status: "known", value: completionTokens, n: size, method: "sum of reported usage" },
      cachedPrompt: unknown("not reported"),
      reasoning: unknown("not reported"),
    },
    resources: {
      modelBytes: hosted ? unknown("a hosted model shows no file") : exact(own.sizeBytes, "file size"),
      peakRssBytes: hosted ? unknown("not on this machine") : exact(own.sizeBytes * 3 + 61e6, "peak of the process"),
      rssOverIdleBytes: hosted ? unknown("not on this machine") : exact(own.sizeBytes * 3, "peak less idle"),
      loadMs: hosted ? unknown("not on this machine") : exact(41, "once"),
      cpuSeconds: hosted ? unknown("not on this machine") : exact(size * 0.01, "user + system"),
      energyJoules: noEnergy,
      ...{ joulesPerAnswer: noEnergy, joulesPerToken: noEnergy, joulesPerCorrect: noEnergy, meanWatts: noEnergy },
      ...{ electricityUsdPerAnswer: noEnergy, electricityUsdPerCorrect: noEnergy },
      ...{ gramsCo2PerAnswer: noEnergy, gramsCo2PerCorrect: noEnergy, gpuMemoryBytes: noEnergy },
    },
    text: {
      ...{ tokensPerAnswer: noText, o200kPerAnswer: noText, charactersPerAnswer: noText, o200kPerSecond: noText },
      ...{ charactersPerSecond: noText, usdPerAnswer: noText, usdPerMillionO200k: noText },
      usdPerMillionCharacters: noText,
    },
    contextUse: {
      window: unknown("not stated"),
      share: distribution([]),
      cutOff: 0,
      nearlyFull: 0,
      atLimit: 0,
      refused: 0,
      warnings: [],
    },
    notes: hosted ? ["no log-probabilities"] : [],
    failure: null,
  }
}
