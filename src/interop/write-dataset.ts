import { once } from "node:events"
import { createWriteStream, existsSync, type WriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import type { SkippedRow } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { type ForeignLog, type ForeignRecord, isRecord } from "../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import type { Sample } from "../core/sample.ts"
import { terminalJson } from "../core/terminal-json.ts"
import { makeFolder } from "../platform/make-folder.ts"

/** What was written. */
export interface WrittenDataset {
  readonly samplesFile: string
  readonly answersFile: string
  readonly samples: number
  readonly answers: number
  readonly variants: readonly string[]
  /** The first thousand of what could not be read. */
  readonly skipped: readonly SkippedRow[]
  readonly skippedCount: number
}

const maxSkipped = 1000

/**
 * Writes a log as a data set: `samples.jsonl` with what was asked, as `dataset()` reads it, and `answers.jsonl` with what was answered,
 * as `recorded()` reads it. Both files appear when they are whole. Memory: the ids of the samples.
 *
 * @throws {UsageError} where a file is there already, and where the log holds no answer
 */
export async function writeDataset(log: ForeignLog, folder: string, shown: string): Promise<WrittenDataset> {
  return whole(["samples.jsonl", "answers.jsonl"], folder, shown, async ([samples = "", answers = ""], files) => {
    const written = await writeBoth(log, [samples, answers])
    if (written.answers === 0)
      throw new UsageError("no answer could be read", {
        where: written.skipped[0]?.where ?? log.file,
        hint: written.skipped[0]?.reason ?? "the log has no answers",
      })
    return { ...written, samplesFile: files[0] as string, answersFile: files[1] as string }
  })
}

/** Samples that were written. */
export interface WrittenSamples {
  readonly samplesFile: string
  readonly samples: number
}

/**
 * Writes samples as `samples.jsonl`, as `dataset()` reads it; the file appears when it is whole.
 *
 * @throws {UsageError} where the file is there already, or there is no sample; what reading the samples throws
 */
export async function writeSamples(
  samples: AsyncIterable<Sample>,
  folder: string,
  shown: string,
): Promise<WrittenSamples> {
  return whole(["samples.jsonl"], folder, shown, async ([path = ""], [samplesFile = ""]) => {
    const stream = createWriteStream(path, { mode: 0o600 })
    let count = 0
    try {
      for await (const sample of samples) {
        await write(stream, sampleRow(sample))
        count++
      }
    } finally {
      stream.end()
      await finished(stream)
    }
    if (count === 0) throw new UsageError("the data hold no sample that can be read", { where: shown })
    return { samplesFile, samples: count }
  })
}

/** Writes files of a folder: all of them, or none. */
async function whole<Written>(
  names: readonly string[],
  folder: string,
  shown: string,
  writeAll: (paths: readonly string[], shownFiles: readonly string[]) => Promise<Written>,
): Promise<Written> {
  for (const name of names)
    if (existsSync(join(folder, name)))
      throw new UsageError("the file is there already", { where: join(shown, name), hint: "name another folder" })
  makeFolder(folder)
  const partial = names.map((name) => join(folder, `.${name}.${process.pid}.partial`))
  try {
    const shownFiles = names.map((name) => join(shown, name))
    const written = await writeAll(partial, shownFiles)
    for (const [i, name] of names.entries()) await rename(partial[i] as string, join(folder, name))
    return written
  } finally {
    for (const path of partial) await rm(path, { force: true })
  }
}

async function writeBoth(log: ForeignLog, [samplesPath, answersPath]: readonly [string, string]) {
  const samples = createWriteStream(samplesPath, { mode: 0o600 })
  const answers = createWriteStream(answersPath, { mode: 0o600 })
  const seen = new Set<string>()
  const variants = new Set<string>()
  const skipped: SkippedRow[] = []
  const counts = { answers: 0, skippedCount: 0 }
  try {
    for await (const read of log.records()) {
      if (!isRecord(read)) {
        if (++counts.skippedCount <= maxSkipped) skipped.push(read)
        continue
      }
      if (!seen.has(read.sample.id)) await write(samples, sampleRow(read.sample))
      seen.add(read.sample.id)
      if (!read.answer) continue
      variants.add(read.variant)
      counts.answers++
      await write(answers, answerRow(read, read.answer))
    }
  } finally {
    for (const stream of [samples, answers]) stream.end()
    await Promise.all([finished(samples), finished(answers)])
  }
  return { ...counts, samples: seen.size, variants: [...variants], skipped }
}

async function write(stream: WriteStream, row: JsonObject): Promise<void> {
  if (!stream.write(`${terminalJson(row)}\n`)) await once(stream, "drain")
}

/** Columns that `dataset()` takes for fields of a sample: metadata of these names would be read as something else. */
const fieldNames = new Set([
  ...["id", "_id", "input", "prompt", "question", "messages", "turns", "references", "reference", "answers", "answer"],
  ...["target", "expected", "context", "contexts", "passages", "choices", "options", "expectedTools", "expected_tools"],
  ...["group", "cluster", "label", "copyOf"],
])

function sampleRow({
  metadata,
  references,
  context,
  choices,
  expectedTools,
  empty = [],
  ...sample
}: Sample): JsonObject {
  const others = Object.entries(metadata).filter(([name]) => !fieldNames.has(name))
  const lists = Object.entries({ references, context, choices, expectedTools }).filter(
    ([name, list]) => list.length > 0 || empty.some((field) => field === name),
  )
  return { ...sample, ...Object.fromEntries(lists), ...Object.fromEntries(others) } as unknown as JsonObject
}

function answerRow(
  { sample, repeat, variant }: ForeignRecord,
  answer: NonNullable<ForeignRecord["answer"]>,
): JsonObject {
  const { text, reasoning, toolCalls, outcome, finishReason, failure, servedModel, usage, log, cost } = answer
  const row = {
    id: sample.id,
    variant,
    text,
    outcome,
    ...(repeat > 0 && { repeat }),
    ...(reasoning !== "" && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(finishReason !== null && { finishReason }),
    ...(failure && { failure }),
    ...(servedModel !== null && { servedModel }),
    usage: { ...usage, ...(cost.status === "known" && { chargedUsd: cost.usd }) },
    ...(log.events.length > 0 && { log }),
  }
  return row as unknown as Record<string, JsonValue>
}
