import type { BatchRecord } from "../batch/batch-record.ts"
import type { EpisodeStep } from "../episode/step.ts"
import { EvalkitError } from "../errors.ts"
import type { Answer, Attempt, Generation } from "../generation.ts"
import type { Measured } from "../metric/metric.ts"
import type { ContentCache } from "../metric/metric-tools.ts"
import type { TimedFacts } from "../metric/scored-variant.ts"
import type { Outcome } from "../outcome.ts"
import type { RunReport } from "../report/report.ts"
import type { HumanLabel } from "../report/section-judge.ts"
import type { Sample } from "../sample.ts"
import type { RunEvent, RunRecord, RunStatus, VariantState } from "./run-record.ts"
import type { StoredWork } from "./stored-work.ts"

/** Whether the store's server cannot be reached now: what was written stays, and a patient store finds it again. */
export function isStoreLost(error: unknown): boolean {
  return error instanceof EvalkitError && error.code === storeLost
}

/** Code of errors of a store whose server cannot be reached. */
export const storeLost = "store_lost"

/** Whether others had what a transaction needed, as in a deadlock: none of it was written, and it may be tried again at once. */
export function isStoreBusy(error: unknown): boolean {
  return error instanceof EvalkitError && error.code === storeBusy
}

/** Code of errors of a transaction that others were in the way of. */
export const storeBusy = "store_busy"

/** One scored (or unscored) metric of one answer, as it is kept. @experimental */
export interface StoredRow {
  readonly variant: string
  readonly sampleId: string
  readonly repeat: number
  readonly metric: string
  readonly measured: Measured<unknown>
  /** `metric.value(row)`. */
  readonly value: number | null
}

/** Rows as the store keeps them, made in any thread (`src/store/encode-rows.ts`). @experimental */
export interface EncodedRows {
  /** Many rows of one variant and metric in one text, from one sample to another. */
  readonly blocks: readonly {
    readonly variant: string
    readonly metric: string
    readonly first: string
    readonly last: string
    readonly data: string
  }[]
  /** Those that are kept one by one. */
  readonly rows: readonly StoredRow[]
}

/** Answers of a variant that follow each other by sample id and repeat, and their samples: texts that any thread can take apart. @experimental */
export interface PackedAnswers {
  readonly calls: readonly CallKey[]
  /** One an answer, as the store keeps it. */
  readonly answers: readonly string[]
  /** The sample of each answer. */
  readonly samples: readonly string[]
}

/** What metrics that measure texts are given of an answer. @experimental */
export type AnswerText = Pick<
  Generation,
  "variant" | "sampleId" | "repeat" | "outcome" | "text" | "returned" | "failure"
>

/** Identity of one planned call: what resume subtracts. @experimental */
export interface CallKey {
  readonly variant: string
  readonly sampleId: string
  readonly repeat: number
}

/** A call that has an answer on record, failed or not. @experimental */
export interface FinishedCall extends CallKey {
  readonly outcome: Outcome
  /** Its number in the plan that it was asked by. */
  readonly position: number
}

/** How a run stands, and nothing else of it. @experimental */
export interface RunState {
  readonly id: string
  readonly status: RunStatus
  readonly finishedAt: string | null
}

/** Runs with what belongs to a run as a whole. @experimental */
export interface StoredRuns {
  createRun(record: RunRecord): void
  setStatus(runId: string, status: RunStatus, finishedAt: string | null): void
  /**
   * Newest first: by when a run was started, or joined from others.
   *
   * @param kinds `evaluations` (default), or load tests among them
   */
  runs(kinds?: "evaluations" | "all"): readonly RunRecord[]
  /** How each run and load test stands, newest first, without the records: many can be looked at often. */
  runStates(): readonly RunState[]
  run(runId: string): RunRecord | null
  saveVariantState(runId: string, variant: string, state: VariantState): void
  variantState(runId: string, variant: string): VariantState | null
  /** @returns the event's number in this store */
  saveEvent(runId: string, event: RunEvent): number
  /** Puts other data in the place of an event's. */
  updateEvent(number: number, data: RunEvent["data"]): void
  events(runId: string): Iterable<RunEvent>
  /** Events of these kinds of all runs, in the order in which they happened. */
  eventsOfKinds(kinds: readonly string[]): Iterable<RunEvent & { readonly runId: string }>
  saveReport(runId: string, report: RunReport): void
  report(runId: string): RunReport | null
  /** Everything that is kept of a run, and the samples of its data set where no other run has them. */
  removeRun(runId: string): void
}

/** Samples of data sets, each data set named by its fingerprint. @experimental */
export interface StoredSamples {
  /**
   * Adds samples; those that are there already stay as they are.
   * @throws {UsageError} `samples_differ` when others are there under the same fingerprint
   */
  saveSamples(dataset: string, samples: readonly Sample[], firstNumber: number): void
  /** In the data set's own order; only those at the positions that are wanted, counted from 0, where it is said. */
  samples(dataset: string, filter?: (position: number) => boolean): Iterable<Sample>
  /** Those that have a group, a cluster or an original; others may be among them. */
  splitSamples(dataset: string): Iterable<Sample>
  sampleIds(dataset: string): Iterable<string>
  sample(dataset: string, id: string): Sample | null
  /** Several at once, in no order: one question to the store instead of one each. */
  samplesOf(dataset: string, ids: readonly string[]): Sample[]
}

/** Bytes of pictures and recordings, each kept once by its hash, however many samples and data sets show it. @experimental */
export interface StoredMedia {
  saveMedia(dataset: string, sha256: string, bytes: Uint8Array): void
  hasMedia(dataset: string, sha256: string): boolean
  media(sha256: string): Uint8Array | null
  /** Hashes of what a data set shows, in order. */
  mediaOf(dataset: string): Iterable<string>
}

/** Answers of runs, and those that are kept across runs. @experimental */
export interface StoredAnswers {
  /** One transaction: the answer counts from here on. Throws when the call was saved before. */
  saveGeneration(runId: string, generation: Generation): void
  /**
   * The same, where several may answer one call: false when it has an answer already, other than a failure that this one mends. Then
   * this one is on record among the attempts of the answer that stays.
   * @param priced gives an answer the cost that it has with all its attempts
   */
  addGeneration(runId: string, generation: Generation, priced: (generation: Generation) => Generation): boolean
  /** One transaction: the call has no answer any more; the failed one stays on record as an attempt, with those before it, an episode by its steps. */
  reopenCall(runId: string, generation: Generation): void
  /** One transaction: the answer takes the place of an earlier one to the same call, whose rows go with it. */
  replaceGeneration(runId: string, generation: Generation): void
  /** One transaction: the same answer with another cost; its rows stay. */
  saveCost(runId: string, generation: Generation): void
  /** In plan order, whatever the order in which they came; or by sample id and repeat, as {@link StoredRows.rows} are. */
  generations(runId: string, variant: string, order?: "plan" | "sample"): Iterable<Generation>
  generation(runId: string, key: CallKey): Generation | null
  /** A variant's answers to these samples, by sample id and repeat. */
  generationsTo(runId: string, variant: string, sampleIds: readonly string[]): readonly Generation[]
  /**
   * A variant's answers with their samples, by sample id and repeat, in parts of so many answers; of large ones fewer.
   * @throws {Error} when an answer's sample is not in the store
   */
  packedAnswers(runId: string, variant: string, dataset: string, max: number): Iterable<PackedAnswers>
  /** The answers of such a part, each with its sample. */
  unpackAnswers(packed: PackedAnswers): Iterable<readonly [AnswerText, Sample]>
  /** What comparisons need of each answer, in plan order, without its texts. */
  answerFacts(runId: string, variant: string): Iterable<TimedFacts>
  /** Calls that are finished, for resume, with how they ended: by variant, each's in plan order. */
  finished(runId: string): Iterable<FinishedCall>
  /** A variant's finished calls among those to these samples. */
  finishedTo(runId: string, variant: string, sampleIds: readonly string[]): readonly FinishedCall[]
  /** A variant's finished calls from a position of the plan on, by position. */
  finishedFrom(runId: string, variant: string, position: number): Iterable<CallKey & { readonly position: number }>
  /** How many calls of each variant are finished. */
  countFinished(runId: string): ReadonlyMap<string, number>
  lastSegment(runId: string): number
  /** One transaction: an attempt that failed, before another one follows it. It goes when its call's answer is saved, which names it. */
  saveAttempt(runId: string, call: CallKey, attempt: Attempt): void
  /** Attempts of calls that have no answer yet, in the order in which they ended; of one call where it is given. */
  attempts(runId: string, call?: CallKey): Iterable<OpenAttempt>
  /** Answers by request key, across runs. */
  cachedAnswer(key: string): Answer | null
  /** Of two answers to one key the first stays, for everybody. */
  saveCachedAnswer(key: string, answer: Answer): void
  /** The next call of this key is made again. */
  forgetCachedAnswer(key: string): void
  /**
   * One transaction: what a metric's call to a model used, and its answer, where it is the first to its key (null: none that can be used again).
   * @param id of a call that may be written again, because nobody said that it was written: it is on record once
   */
  saveModelCall(runId: string, call: ModelCall, answer: Answer | null, id?: string): void
  /** Calls that the run's metrics made, in the order in which they ended. */
  modelCalls(runId: string): Iterable<ModelCall>
}

/** Steps of conversations and agents that have no answer yet. @experimental */
export interface StoredSteps {
  /**
   * One transaction: a step, before the next one begins; it takes the place of what was kept under the same number. Attempts that a
   * step of the model names are no longer kept apart. All steps of a call go when its answer is saved, which holds them.
   */
  saveStep(runId: string, call: CallKey, number: number, step: EpisodeStep): void
  /** By call and number; of one call where it is given. */
  steps(runId: string, call?: CallKey): Iterable<OpenStep>
}

/** A step of an episode that has no answer yet, and its place in it, from 0. @experimental */
export interface OpenStep extends CallKey {
  readonly number: number
  readonly step: EpisodeStep
}

/** An attempt that failed and was to be followed by another, of a call that has no answer yet. @experimental */
export interface OpenAttempt extends CallKey {
  readonly attempt: Attempt
}

/** A call that a metric made to a model of its own: a judge, a splitter of claims. @experimental */
export interface ModelCall {
  /** Variant whose answer was judged. */
  readonly variant: string
  readonly purpose: string
  /** Hash of what was asked and of whom. */
  readonly key: string
  /** Attempts that this entry is about. One that failed and was followed by another has an entry of its own where it was paid for. */
  readonly requests: number
  /** US dollars; null when unknown. */
  readonly costUsd: number | null
  /** US dollars that were set aside for it; null when the price is unknown. */
  readonly asideUsd: number | null
  /** Prompt and completion tokens; null when the service did not say. */
  readonly tokens: number | null
  /** Tokens that were set aside for it; absent where nothing was. */
  readonly asideTokens?: number
  readonly seconds: number
  /** Wall time of its end, ISO 8601. */
  readonly at: string
}

/** Batches that a run's requests went in. They stay with the store that asked for them: an archive holds only what came of them. @experimental */
export interface StoredBatches {
  /** One transaction: takes the place of what was kept under the same tag. */
  saveBatch(runId: string, batch: BatchRecord): void
  /** In the order in which they were first kept. */
  batches(runId: string): readonly BatchRecord[]
}

/** What metrics measured. @experimental */
export interface StoredRows {
  /** Replaces earlier rows of the same answer and metric. */
  saveRows(runId: string, rows: readonly StoredRow[]): void
  /** The same of rows that another thread has encoded. */
  saveEncodedRows(runId: string, rows: EncodedRows): void
  /** The same, where several may score one answer: rows that are there stay as they are. */
  addRows(runId: string, rows: readonly StoredRow[]): void
  /** How many rows each sample's answers have, over all variants and metrics. */
  countRows(runId: string): ReadonlyMap<string, number>
  /** By sample id and repeat. Rows that are saved in this order are written once each, and their pages once. */
  rows(runId: string, variant: string, metric: string): Iterable<StoredRow>
  /** Metrics that have rows of the variant. */
  scoredMetrics(runId: string, variant: string): readonly string[]
  /** All metrics' rows of a variant's answers to these samples. */
  answerRows(runId: string, variant: string, sampleIds: readonly string[]): readonly StoredRow[]
  /** All metrics' rows, and what is known of their makers. */
  clearRows(runId: string): void
  /** Hash of what made a metric's rows: its signature, and whom it asked with what; null where it was not kept. */
  rowMaker(runId: string, metric: string): string | null
  /** One transaction: whose rows a metric's are from here on. `drop`: those that are there are another's, and go. */
  saveRowMaker(runId: string, metric: string, maker: string, drop: boolean): void
}

/** What people said of a run's answers. @experimental */
export interface StoredLabels {
  /** Replaces an earlier label of the same person, answer, metric, policy and role. */
  saveLabel(runId: string, label: HumanLabel): void
  /** By variant, sample, repeat, metric, labeller, policy and role. */
  labels(runId: string): readonly HumanLabel[]
}

/** What the engine needs of a store. Every method is durable against `kill -9` once it returns. @experimental */
export interface RunStore
  extends StoredRuns,
    StoredSamples,
    StoredMedia,
    StoredAnswers,
    StoredSteps,
    StoredBatches,
    StoredRows,
    StoredLabels,
    StoredWork {
  readonly cache: ContentCache
  /** Where it is, for messages: its folder, or its database without anything secret. */
  readonly location?: string
  /** Which store this is: made by chance with it, and the same for everyone who opens it. */
  identity(): string
  /** A random key of this store, never exported: what hashes of private values are keyed with. */
  fingerprintKey(): string
  /** Everything that `work` writes, or nothing of it. While it goes on, nobody else should write to this store. */
  atomically<Result>(work: () => Result): Result
  close(): void
}
