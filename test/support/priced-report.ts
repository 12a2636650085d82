import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { syntheticInput } from "./synthetic/report.ts"

/** A synthetic run in which the hosted variant is paid by the token, the others by the hour. */
export function pricedReport(): RunReport {
  const { report } = syntheticInput({ samples: 900 })
  return { ...report, variants: report.variants.map((one) => (one.name === "hosted-70b" ? priced(one) : one)) }
}

function priced(variant: VariantReport): VariantReport {
  const known = (value: number, half = 0): Figure => ({
    status: "known",
    value,
    ...(half > 0 && { low: value - half, high: value + half }),
    n: 900,
    method: "sum of priced usage",
  })
  return {
    ...variant,
    tokens: { ...variant.tokens, cachedPrompt: known(8000), reasoning: known(2000) },
    cost: {
      totalUsd: known(0.31),
      perQueryUsd: known(0.000344, 0.00001),
      perThousandUsd: known(0.344, 0.01),
      perCorrectUsd: known(0.00037),
      failedUsd: known(0.004),
      judgeUsd: known(0.0021),
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
