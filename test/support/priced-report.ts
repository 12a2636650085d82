import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { syntheticInput } from "./synthetic/report.ts"

/** A synthetic run in which the hosted variant is paid by the token, the others by the hour. */
export function pricedReport(): RunReport {
  const { report } = syntheticInput({ samples: 900 })
  return { ...report, variants: report.variants.map((own) => (own.name === "hosted-70b" ? priced(own) : own)) }
}

function priced(variant: VariantReport): VariantReport {
  const figure = (value: number, half = 0): Figure => ({
    status: "known",
    value,
    ...(half > 0 && { low: value - half, high: value + half }),
    n: 900,
    method: "sum of priced usage",
  })
  return {
    ...variant,
    tokens: { ...variant.tokens, cachedPrompt: figure(8000), reasoning: figure(2000) },
    cost: {
      totalUsd: figure(0.31),
      perQueryUsd: figure(0.000344, 0.00001),
      perThousandUsd: figure(0.344, 0.01),
      perCorrectUsd: figure(0.00037),
      failedUsd: figure(0.004),
      judgeUsd: figure(0.0021),
      priceSource: "a price list (2026-11-01)",
      parts: { input: 0.1, cachedInput: 0.02, output: 0.186, failedAttempts: 0.004 },
      price: {
        kind: "tokens",
        inputPerMillion: 2.5,
        cachedInputPerMillion: 0.25,
        outputPerMillion: 15,
        source: "a price list",
        date: "2026-11-01",
      },
    },
  }
}
