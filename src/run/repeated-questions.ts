import { messagesOf } from "../calls/model-request.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import type { Question } from "../text/questions/repeated-questions.ts"

/** The cluster of every sample that asks what another sample of its data set asks, by its id. */
export type QuestionClusters = ReadonlyMap<string, string>

/** What the variants are sent for a sample. What an application or an episode is given besides must be equal, too. */
export function sentQuestion(variants: readonly Variant[], sample: Sample): Question {
  const prompts = variants.map((variant) => messagesOf(variant, sample))
  const texts = new Set(prompts.map((messages) => messages.map(({ content }) => content).join("\n")))
  const { turns, references, context, choices, metadata } = sample
  const isGivenAll = variants.some(({ provider, episode }) => provider.traits?.sendsItsOwn || episode)
  const asked = {
    shapes: prompts.map((messages) =>
      messages.map(({ role, parts, toolCalls }) => [role, parts?.filter(({ type }) => type !== "text"), toolCalls]),
    ),
    turns,
    ...(isGivenAll && { context, choices, metadata }),
  }
  return { text: [...texts].join("\n"), asked: asked as unknown as JsonValue, expected: [references, choices, context] }
}

const kind = "repeated_questions"

/** Keeps the clusters with a run; nothing where no question comes twice. */
export function saveQuestionClusters(
  store: Pick<RunStore, "saveEvent">,
  runId: string,
  at: string,
  clusters: QuestionClusters,
): void {
  if (clusters.size > 0) store.saveEvent(runId, { at, kind, data: Object.fromEntries(clusters) })
}

/** The clusters of a run, of which it has a record since it began. */
export function questionClusters(store: Pick<RunStore, "events">, { id }: Pick<RunRecord, "id">): QuestionClusters {
  const clusters = new Map<string, string>()
  for (const event of store.events(id))
    if (event.kind === kind)
      for (const [sample, cluster] of Object.entries(event.data as JsonObject)) clusters.set(sample, String(cluster))
  return clusters
}

/** How many questions samples ask, of which some repeat another. */
export function countQuestions(samples: number, clusters: QuestionClusters): number {
  return samples - clusters.size + new Set(clusters.values()).size
}
