import { messagesOf } from "../calls/model-request.ts"
import type { Dataset, SkippedRow } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { isObject } from "../core/json-members.ts"
import { inputMedia } from "../core/media/message-parts.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { createSliceFields } from "../core/slice-names.ts"
import type { Variant } from "../core/variant.ts"
import { createRepeatFinder } from "../text/questions/repeated-questions.ts"
import { sampleFaults } from "../words/run/samples.ts"
import { checkMedia } from "./check-media.ts"
import { openSample } from "./episode/open-sample.ts"
import { type QuestionClusters, sentQuestion } from "./repeated-questions.ts"

/** A data set that is in the store, ready to be planned. */
export interface PreparedDataset {
  readonly name: string
  readonly source: string
  readonly fingerprint: string
  readonly sampleIds: readonly string[]
  readonly skipped: readonly SkippedRow[]
  /** The column that each field of a sample was read from. */
  readonly columns: ReadonlyMap<string, string>
  /** Samples that ask the same question, found in what is sent. */
  readonly repeats: QuestionClusters
  /** Whether there are more samples than these. */
  readonly isPart: boolean
}

/** Samples that are written to the store at a time. */
const batchSize = 200

/**
 * Reads the data set once into the store and renders every prompt once, so that a missing field stops the run before the
 * first call is paid for.
 * @param onPrompt sees every sample with the messages of each variant (dry run: tokens and cost)
 * @throws {UsageError} `media_unsupported` for a prompt that a provider cannot be sent; without a data set, without variants, or on an empty data set;
 * `unknown_slice` for a slice whose field no sample has
 */
export async function prepareDataset(
  evaluation: Evaluation,
  store: Pick<RunStore, "saveSamples" | "hasMedia" | "saveMedia"> | null,
  onPrompt: (variant: Variant, sample: Sample) => void = () => {},
  signal?: AbortSignal,
): Promise<PreparedDataset> {
  const { dataset, variants } = evaluation
  if (!dataset) throw missing("dataset", 'dataset: dataset("questions.jsonl")')
  if (variants.length === 0) throw missing("variants", 'variants: [variant({ provider: local("model.gguf") })]')
  const fingerprint = await dataset.fingerprint()
  const sampleIds: string[] = []
  const repeats = createRepeatFinder()
  const sliceFields = createSliceFields(evaluation.slices)
  let batch: Sample[] = []
  const flush = (): void => {
    store?.saveSamples(fingerprint, batch, sampleIds.length - batch.length)
    batch = []
  }
  for await (const sample of checkedSamples(dataset, signal)) {
    for (const variant of variants) {
      checkMedia(variant, sample, messagesOf(variant, sample))
      // What the user's templates name and the sample lacks is said before anything is paid for.
      variant.episode?.user?.request(openSample(sample), [], "")
      onPrompt(variant, sample)
    }
    if (store) await saveMedia(store, dataset, fingerprint, sample)
    sliceFields.see(sample)
    repeats.add(sample, sentQuestion(variants, sample))
    sampleIds.push(sample.id)
    batch.push(sample)
    if (batch.length === batchSize) flush()
  }
  flush()
  if (sampleIds.length === 0) {
    throw new UsageError("the data set has no samples", {
      where: dataset.source,
      hint: "check the file, its filter and its limit",
    })
  }
  sliceFields.check()
  const isPart = dataset.isPart?.() ?? false
  const { name, source } = dataset
  const columns = dataset.columns?.() ?? new Map<string, string>()
  const facts = { skipped: dataset.skipped(), columns, repeats: repeats.clusters() }
  return { name, source, fingerprint, sampleIds, isPart, ...facts }
}

/** The bytes that a sample names, each once a data set. */
async function saveMedia(
  store: Pick<RunStore, "hasMedia" | "saveMedia">,
  dataset: Dataset,
  fingerprint: string,
  sample: Sample,
): Promise<void> {
  for (const part of inputMedia(sample.input)) {
    if (part.type === "image_url" || store.hasMedia(fingerprint, part.sha256)) continue
    const bytes = part.data ?? (await dataset.media?.(part.sha256))
    if (!bytes)
      throw new UsageError(`the data set does not give the bytes of an ${part.type} part`, {
        where: `sample ${JSON.stringify(sample.id)}, sha256 ${part.sha256}`,
        hint: "a data set of your own gives them by its media(sha256)",
      })
    store.saveMedia(fingerprint, part.sha256, bytes)
  }
}

/**
 * The evaluation with every variant asked for the log-probabilities that its metrics read. What pair metrics read is asked of
 * the variants of the baseline's model, where there are several and their parameters do not state it: two models have nothing
 * to compare token by token.
 */
export function withMetricNeeds(evaluation: Evaluation): Evaluation {
  const logprobs = neededLogprobs(evaluation.metrics)
  const pairWanted = neededLogprobs(evaluation.pairMetrics)
  const model = evaluation.variants.find(({ name }) => name === evaluation.baseline)?.provider.model
  const family = evaluation.variants.filter(({ provider }) => provider.model === model)
  return {
    ...evaluation,
    variants: evaluation.variants.map((variant) => {
      const stated = variant.parameters.topLogprobs ?? null
      const forPairs = stated === null && family.length > 1 && family.includes(variant) ? pairWanted : null
      const asks = [logprobs, stated, forPairs].filter((ask) => ask !== null)
      if (asks.length === 0) return variant
      return { ...variant, parameters: { ...variant.parameters, topLogprobs: Math.max(...asks) } }
    }),
  }
}

function neededLogprobs(metrics: readonly Pick<AnyMetric, "needs">[]): number | null {
  const needs = metrics.flatMap((metric) => (metric.needs?.logprobs || metric.needs?.topLogprobs ? [metric.needs] : []))
  return needs.length === 0 ? null : Math.max(...needs.map((need) => need.topLogprobs ?? 0))
}

function missing(field: string, example: string): UsageError {
  return new UsageError(`there is nothing to run: the config has no ${field}`, { where: field, hint: `add ${example}` })
}

/** The samples of a data set, each checked: one of the user's own may give anything. */
async function* checkedSamples(dataset: Dataset, signal?: AbortSignal): AsyncGenerator<Sample> {
  let number = 0
  for await (const sample of dataset.samples(signal)) {
    const fault = faultOf(sample)
    if (fault !== null)
      throw new UsageError(`the data set gives something else than a sample: ${fault}`, {
        code: "bad_row",
        where: `${dataset.source}, sample ${number + 1}`,
        hint: "dataset.from(rows) makes samples of rows {input, reference, …}",
      })
    number++
    yield sample
  }
}

const lists = ["references", "context", "choices", "expectedTools"] as const satisfies readonly (keyof Sample)[]

function faultOf(sample: unknown): string | null {
  if (!isObject(sample)) return sampleFaults.noObject(sample === null ? "null" : typeof sample)
  const { id, input, metadata } = sample
  if (typeof id !== "string" || id === "") return sampleFaults.id
  const isInput = input === null || typeof input === "string" || (Array.isArray(input) && input.every(isTurn))
  if (!isInput) return sampleFaults.input
  const wrong = lists.find((name) => !Array.isArray(sample[name]))
  if (wrong !== undefined) return sampleFaults.list(wrong)
  return isObject(metadata) ? null : sampleFaults.metadata
}

function isTurn(value: unknown): boolean {
  return isObject(value) && typeof value.role === "string" && value.content !== undefined
}
