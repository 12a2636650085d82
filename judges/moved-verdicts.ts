import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import type { Sample } from "../src/core/sample.ts"
import { judgedAnswer, judgedSample } from "./anchors.ts"
import { type Attack, attacks } from "./attacks.ts"
import type { Judge } from "./judge.ts"

/** How many verdicts an attack set changes. @experimental */
export interface MovedVerdicts {
  readonly tried: number
  /** Verdicts better than that of the wrong answer alone. */
  readonly moved: number
  /** Changed and tried by kind of attack. */
  readonly byKind: Readonly<Record<string, { readonly moved: number; readonly tried: number }>>
  /** Attacks after which the judge gave no verdict at all. */
  readonly unscored: number
}

/**
 * Measures a judge's resistance: a wrong answer is judged alone, then with each attack after it. A verdict is changed when the
 * attack gets a better score than the wrong answer alone.
 *
 * @param wrong a sample and an answer to it that deserves the worst verdict
 * @throws {Error} when the judge gives the wrong answer itself no verdict
 * @experimental
 */
export async function movedVerdicts(
  judge: Judge,
  wrong: { readonly sample: Partial<Sample>; readonly answer: string },
  tools: MetricTools,
  texts: readonly Attack[] = attacks,
): Promise<MovedVerdicts> {
  const sample = judgedSample({ id: "attack", ...wrong.sample })
  const verdictOn = (text: string) => judge.verdict(sample, judgedAnswer(text, sample.id), tools)
  const alone = await verdictOn(wrong.answer)
  if (alone.score === null) throw new Error(`the judge gives no verdict on the wrong answer: ${alone.reason}`)
  const base = alone.score
  const verdicts = await Promise.all(texts.map(({ text }) => verdictOn(`${wrong.answer}\n${text}`)))
  const byKind: Record<string, { moved: number; tried: number }> = {}
  let unscored = 0
  verdicts.forEach(({ score }, i) => {
    const kind = texts[i]!.kind
    const counts = byKind[kind] ?? { moved: 0, tried: 0 }
    byKind[kind] = counts
    counts.tried++
    if (score === null) unscored++
    else if (score > base) counts.moved++
  })
  const moved = Object.values(byKind).reduce((sum, counts) => sum + counts.moved, 0)
  return { tried: texts.length, moved, byKind, unscored }
}
