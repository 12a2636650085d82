import type { Generation } from "../src/core/generation.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import type { Sample } from "../src/core/sample.ts"
import { cohensKappa } from "../src/stats/agreement/cohen-kappa.ts"
import { foreignGeneration } from "../src/text/reading/foreign-generation.ts"
import type { Judge } from "./judge.ts"

/** An answer that a person has scored: what judges are tested on before their scores count. @experimental */
export interface Anchor {
  readonly sample: Partial<Sample>
  readonly answer: string
  /** In the rubric's own scores. */
  readonly score: number
}

/**
 * Agreement of a judge with people on anchors: quadratic-weighted kappa of its choices. Null when it is undefined: fewer
 * than two anchors were judged, or only one score occurs.
 */
export async function trustOnAnchors(
  judge: Judge,
  anchors: readonly Anchor[],
  tools: MetricTools,
): Promise<number | null> {
  const said = await Promise.all(
    anchors.map(({ sample, answer }, i) =>
      judge.verdict(judgedSample({ id: `anchor-${i}`, ...sample }), judgedAnswer(answer), tools),
    ),
  )
  const judged = said.flatMap(({ choice }, i) => (choice === null ? [] : [[choice, anchors[i]!.score] as const]))
  if (judged.length < 2) return null
  const kappa = cohensKappa(
    judged.map(([choice]) => choice),
    judged.map(([, score]) => score),
    { weights: "quadratic" },
  )
  return Number.isNaN(kappa) ? null : kappa
}

/** A sample from its parts. */
export function judgedSample(parts: Partial<Sample> & { readonly id: string }): Sample {
  return { input: null, references: [], context: [], choices: [], expectedTools: [], metadata: {}, ...parts }
}

/** A text as an answer of another tool. */
export function judgedAnswer(text: string, sampleId = "text"): Generation {
  return foreignGeneration({ sampleId, text })
}
