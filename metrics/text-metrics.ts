import type { AnyMetric, MetricRecipe } from "../src/core/metric/metric.ts"
import { choiceMatch } from "./match/choice-match.ts"
import { contains } from "./match/contains.ts"
import { exactMatch } from "./match/exact-match.ts"
import { numericMatch } from "./match/numeric-match.ts"
import { bleu } from "./overlap/bleu.ts"
import { chrf } from "./overlap/chrf.ts"
import { editDistance } from "./overlap/edit-distance.ts"
import { jaroWinkler } from "./overlap/jaro-winkler.ts"
import { rouge } from "./overlap/rouge.ts"
import { ter } from "./overlap/ter.ts"
import { tokenF1 } from "./overlap/token-f1.ts"

/** Metrics that measure an answer by its text and its sample alone. */
const makers: Readonly<Record<string, (options: never) => unknown>> = {
  bleu,
  chrf,
  choiceMatch,
  contains,
  editDistance,
  exactMatch,
  jaroWinkler,
  numericMatch,
  rouge,
  ter,
  tokenF1,
}

/**
 * Makes a metric that measures texts again, in another thread.
 * @throws {Error} when there is none of that name
 */
export function makeTextMetric({ metric, options }: MetricRecipe): AnyMetric {
  const maker = Object.hasOwn(makers, metric) ? makers[metric] : undefined
  if (!maker) throw new Error(`no metric ${metric} that measures texts`)
  return maker(options as never) as AnyMetric
}
