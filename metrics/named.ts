import { nearest } from "../src/core/did-you-mean.ts"
import { UsageError } from "../src/core/errors.ts"
import type { AnyMetric } from "../src/core/metric/metric.ts"

/** Metrics that a command line can name: no options are needed, and an answer with its references, question and passages is enough. */
const makers: Readonly<Record<string, () => Promise<unknown>>> = {
  exactMatch: async () => (await import("./match/exact-match.ts")).exactMatch(),
  contains: async () => (await import("./match/contains.ts")).contains(),
  choiceMatch: async () => (await import("./match/choice-match.ts")).choiceMatch(),
  numericMatch: async () => (await import("./match/numeric-match.ts")).numericMatch(),
  jsonMatch: async () => (await import("./match/json-match.ts")).jsonMatch(),
  tokenF1: async () => (await import("./overlap/token-f1.ts")).tokenF1(),
  bleu: async () => (await import("./overlap/bleu.ts")).bleu(),
  chrf: async () => (await import("./overlap/chrf.ts")).chrf(),
  "chrf++": async () => (await import("./overlap/chrf.ts")).chrf({ name: "chrf++", wordOrder: 2 }),
  ter: async () => (await import("./overlap/ter.ts")).ter(),
  rouge1: async () => (await import("./overlap/rouge.ts")).rouge({ type: "rouge1" }),
  rouge2: async () => (await import("./overlap/rouge.ts")).rouge({ type: "rouge2" }),
  rougeL: async () => (await import("./overlap/rouge.ts")).rouge({ type: "rougeL" }),
  rougeLsum: async () => (await import("./overlap/rouge.ts")).rouge({ type: "rougeLsum" }),
  meteor: async () => (await import("./overlap/meteor.ts")).meteor(),
  editDistance: async () => (await import("./overlap/edit-distance.ts")).editDistance(),
  jaroWinkler: async () => (await import("./overlap/jaro-winkler.ts")).jaroWinkler(),
  distinctN: async () => (await import("./diversity/distinct-n.ts")).distinctN(),
  selfBleu: async () => (await import("./diversity/self-bleu.ts")).selfBleu(),
  compressionRatio: async () => (await import("./diversity/compression-ratio.ts")).compressionRatio(),
  readability: async () => (await import("./diversity/readability.ts")).readability(),
  languageMatch: async () => (await import("./match/language-match.ts")).languageMatch(),
  answerCorrectness: async () => (await import("./retrieval/answer-correctness.ts")).answerCorrectness(),
  groundedness: async () => (await import("./retrieval/groundedness.ts")).groundedness(),
  ungroundedFacts: async () => (await import("./hallucination/ungrounded-facts.ts")).ungroundedFacts(),
  contextPrecision: async () => (await import("./retrieval/context-precision.ts")).contextPrecision(),
  contextRecall: async () => (await import("./retrieval/context-precision.ts")).contextRecall(),
  answerRelevancy: async () => (await import("./retrieval/answer-relevancy.ts")).answerRelevancy(),
  contextRelevancy: async () => (await import("./retrieval/context-relevancy.ts")).contextRelevancy(),
  refusal: async () => (await import("./safety/refusal.ts")).refusal(),
  embeddingSimilarity: async () => (await import("./semantic/embedding-similarity.ts")).embeddingSimilarity(),
  bertScore: async () => (await import("./semantic/bert-score.ts")).bertScore(),
}

/** Names that {@link namedMetric} knows. */
export const metricNames: readonly string[] = Object.keys(makers)

/**
 * A metric of the catalogue with its default options, by its name; upper case, `-`, `_` and blanks do not count.
 *
 * @throws {UsageError} for a name that it does not have, with the one that was probably meant
 * @example await namedMetric("exact_match") // exactMatch()
 */
export async function namedMetric(name: string): Promise<AnyMetric> {
  const match = metricNames.find((metricName) => plain(metricName) === plain(name))
  if (match !== undefined) return (await makers[match]?.()) as AnyMetric
  const meant = nearest(name, metricNames)
  throw new UsageError(`there is no metric "${name.slice(0, 60)}" that needs no config`, {
    code: "unknown_metric",
    where: `--metric ${name.slice(0, 60)}`,
    hint: `${meant === undefined ? "" : `did you mean "${meant}"? `}choose from ${metricNames.join(", ")}, or name a metric of a config with --config`,
  })
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "")
}
