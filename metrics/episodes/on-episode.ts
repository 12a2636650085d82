import { toolSteps, turnAnswers, turnTexts } from "../../src/core/episode/episode.ts"
import { isToolResult } from "../../src/core/episode/tool-outcome.ts"
import type { Generation } from "../../src/core/generation.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"

/** Options of {@link onToolResults} and {@link wholeConversation}. @public */
export interface OnEpisodeOptions {
  readonly name?: string
}

/**
 * A metric that sees what the tools returned as the passages of the sample: whether the last answer follows from the results. For metrics of
 * grounding, such as `ungroundedFacts()`, `groundedness()` and rubrics that show the context.
 *
 * Range, direction and unit are the metric's. Unscored: `no_episode`, `no_tool_calls` where no tool gave a result, and the metric's own.
 *
 * Misleads where a tool gave a wrong result: what follows from it is supported all the same. Source: the metric's.
 *
 * @example
 * // weather("Oslo") gave { degrees: 21 }; the last answer: "It has 25 degrees."
 * onToolResults(ungroundedFacts()) // 1, named ungroundedFacts.toolResults: no result has 25
 * @public
 */
export function onToolResults<Row>(metric: Metric<Row>, options: OnEpisodeOptions = {}): Metric<Row> {
  checkOptions("onToolResults", options)
  return seenOtherwise(metric, options.name ?? `${metric.name}.toolResults`, "onToolResults", (sample, generation) => {
    const results = toolSteps(generation.episode?.steps ?? []).flatMap(({ outcome, result }) =>
      isToolResult(outcome) ? [result] : [],
    )
    if (results.length === 0) return null
    return { sample: { ...sample, context: results }, generation }
  })
}

/**
 * A metric that sees the whole conversation as the answer: every turn of the user and every answer, one after the other. For judges of a
 * conversation as a whole, and for figures of everything that the variant said.
 *
 * Range, direction and unit are the metric's. Unscored: `no_episode`, and the metric's own.
 *
 * Misleads with metrics that were made for one answer: a long conversation is compared with a short reference. Source: the
 * metric's.
 *
 * @example
 * // two answers, "Hello." and "It is Paris.": the text that is measured is that of both
 * wholeConversation(contains()) // 1 for the reference "Paris"; with a rubric its {{output}} is "User: …\n\nAssistant: …"
 * @public
 */
export function wholeConversation<Row>(metric: Metric<Row>, options: OnEpisodeOptions = {}): Metric<Row> {
  checkOptions("wholeConversation", options)
  return seenOtherwise(
    metric,
    options.name ?? `${metric.name}.conversation`,
    "wholeConversation",
    (sample, generation) => {
      const { episode = { steps: [], turns: 0 } } = generation
      const asked = turnTexts(episode, sample)
      const said = turnAnswers(episode.steps).flatMap((answer, index) => [
        `User: ${asked[index] ?? ""}`,
        `Assistant: ${answer?.text ?? ""}`,
      ])
      return { sample, generation: { ...generation, text: said.join("\n\n") } }
    },
  )
}

interface Seen {
  readonly sample: Sample
  readonly generation: Generation
}

function seenOtherwise<Row>(
  metric: Metric<Row>,
  name: string,
  kind: string,
  see: (sample: Sample, generation: Generation) => Seen | null,
): Metric<Row> {
  const { recipe: _madeOtherwise, ...rest } = metric
  return {
    ...rest,
    name,
    signature: `${kind}|${metric.signature}`,
    measure(sample, generation, tools) {
      if (!generation.episode) return unscored("no_episode", "the answer is no conversation and no loop over tools")
      const seen = see(sample, generation)
      if (!seen) return unscored("no_tool_calls", "no tool gave a result")
      return metric.measure(seen.sample, seen.generation, tools)
    },
    // Methods of a metric that is an object of a class stay its own.
    value: (row) => metric.value(row),
    summarise: (rows, level) => metric.summarise(rows, level),
  }
}
