import { canonicalJson } from "../core/json.ts"
import type { GenerationParameters } from "../core/provider.ts"
import type { Comparison } from "../core/report/comparison.ts"
import type { Check, VariantReport } from "../core/report/report.ts"
import type { Variant } from "../core/variant.ts"
import { parameterWords } from "../words/run/checks.ts"

/**
 * Only where it happened: variants of one comparison whose answers were sampled or bounded differently, because an endpoint
 * refused a parameter to one of them. What both were refused, or what neither was to have, makes no difference between them.
 */
export function askedAlike(
  variants: readonly Variant[],
  reports: readonly VariantReport[],
  comparisons: readonly Comparison[],
): Check[] {
  const sent = new Map(
    reports.map((report) => [
      report.name,
      sentBy(
        variants.find(({ name }) => name === report.name),
        report,
      ),
    ]),
  )
  const messages = comparisons.flatMap(({ candidate, baseline }) => [
    ...without(candidate, baseline, sent),
    ...without(baseline, candidate, sent),
  ])
  if (messages.length === 0) return []
  return [
    {
      name: parameterWords.check,
      status: "failed",
      besideVerdict: true,
      message: [...new Set(messages)].join(" · "),
    },
  ]
}

/** What each refusable parameter was sent as; null where it was refused. */
type Sent = ReadonlyMap<string, string | null>

function sentBy(variant: Variant | undefined, { differences = [] }: VariantReport): Sent {
  const asked = askedFor(variant?.parameters ?? {})
  const refused = differences.filter(({ affects }) => affects === "sampling" || affects === "text")
  return new Map([...asked, ...refused.map(({ parameter }): [string, null] => [parameter, null])])
}

function askedFor({
  temperature,
  topP,
  stop,
  jsonSchema,
  structured,
  extra,
}: GenerationParameters): [string, string][] {
  const fields = {
    ...extra,
    temperature,
    top_p: topP,
    stop,
    response_format: structured === "prompt" ? undefined : jsonSchema,
  }
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, canonicalJson(value)]]))
}

function without(variant: string, partner: string, sent: ReadonlyMap<string, Sent>): string[] {
  const theirs = sent.get(partner)
  const lacks = [...(sent.get(variant) ?? [])].flatMap(([name, value]) => {
    const rival = theirs?.get(name)
    return value === null && rival !== undefined && rival !== null ? [`${name} ${rival}`] : []
  })
  if (lacks.length === 0) return []
  return [parameterWords.without(variant, lacks.join(", "), partner)]
}
