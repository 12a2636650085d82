import { chosenVariant } from "../../analyse/source/log-variant.ts"
import { UsageError } from "../../core/errors.ts"
import { type ForeignLog, isRecord } from "../../core/foreign/foreign-log.ts"
import { answersAsReferences } from "../../interop/answers-as-references.ts"
import { openForeignLog } from "../../interop/recognise.ts"
import { redactedLog } from "../../interop/redacted-log.ts"
import { sampleOfLog, trafficTools } from "../../interop/sample-log.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import type { Redaction } from "../../text/personal-data/redaction.ts"
import { notRedacted } from "../../wording/redaction.ts"
import { flag, number } from "../arguments/options.ts"
import type { CommandIo } from "../command.ts"
import type { LocalFile } from "./local-files.ts"
import { redactionOf, redactOptions } from "./redact-options.ts"
import { rowReaders } from "./row-readers.ts"

/** Options that say what of a log is taken, and how. */
export const takenOptions = {
  sample: number("of a log, take this many of its samples only; of traffic, calls that stand for all of them"),
  seed: number("seed of --sample", { default: 42 }),
  embed: flag("with --sample of traffic: clusters by embeddings of the questions, made on this machine, not by words", {
    default: false,
  }),
  "answers-as-references": flag("what a log answered is what is expected: reference, calls of tools, language", {
    default: false,
  }),
  ...redactOptions,
}

/** What of a log is taken. */
export interface Taken {
  /** null: all of it. */
  readonly part: { readonly count: number; readonly seed: number; readonly embeds: boolean } | null
  /** What was answered is what is expected. */
  readonly isReference: boolean
  /** null: texts are kept as they came. */
  readonly redaction: Redaction | null
}

/** @throws {UsageError} for numbers that are none, and what {@link redactionOf} throws */
export async function takenOf(args: Readonly<Record<string, unknown>>, io: CommandIo): Promise<Taken> {
  const isReference = args.answersAsReferences === true
  return { part: partOf(args), isReference, redaction: await redactionOf(args, io) }
}

function partOf({ sample, seed = 42, embed }: Readonly<Record<string, unknown>>): Taken["part"] {
  if (sample === undefined) return null
  for (const [name, value, least] of [["sample", sample, 1] as const, ["seed", seed, 0] as const])
    if (!Number.isSafeInteger(value) || Number(value) < least)
      throw new UsageError(`--${name} must be a whole number of at least ${least}`, {
        where: `--${name} ${String(value)}`,
      })
  return { count: Number(sample), seed: Number(seed), embeds: embed === true }
}

/**
 * The log of a file, or of the variant that is named with it; null where the file is none.
 *
 * @throws {UsageError} where the file has no such variant
 */
export async function openLocalLog({ path, source, variant }: LocalFile): Promise<ForeignLog | null> {
  const log = await openForeignLog(path, source, rowReaders)
  if (variant === null) return log
  if (!log) throw new UsageError("the file holds no variants", { where: `${source}:${variant}` })
  const names = new Set<string>()
  for await (const read of log.records()) if (isRecord(read)) names.add(read.variant)
  chosenVariant(log, variant, names)
  return {
    ...log,
    async *records() {
      for await (const read of log.records()) if (!isRecord(read) || read.variant === variant) yield read
    },
  }
}

/** What is taken of a file's log; null where the file is none. What is redacted is what is left of all else. */
export async function openTaken(
  file: LocalFile,
  { part, isReference, redaction }: Taken,
  io: CommandIo,
): Promise<ForeignLog | null> {
  const log = await openLocalLog(file)
  if (!log) return null
  const sampled = part ? await sampleWith(part, log, io) : log
  const expected = isReference ? await answersAsReferences(sampled) : sampled
  if (redaction) return redactedLog(expected, redaction)
  return trafficTools.has(log.tool) ? { ...expected, notes: [...expected.notes, notRedacted] } : expected
}

async function sampleWith(
  { count, seed, embeds }: NonNullable<Taken["part"]>,
  log: ForeignLog,
  io: CommandIo,
): Promise<ForeignLog> {
  if (!embeds) return sampleOfLog(log, count, seed)
  const { transformers } = await import("../../encoders/embedder/transformers.ts")
  const embedder = transformers({ cacheDirectory: userCacheDirectory(io.environment) })
  return sampleOfLog(log, count, seed, (texts) => embedder.embed(texts)).finally(() => embedder.close())
}
