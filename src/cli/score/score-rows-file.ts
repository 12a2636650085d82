import { stat } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import type { ColumnPair } from "../../../datasets/columns/column-pairs.ts"
import { mappedRows } from "../../../datasets/columns/mapped-rows.ts"
import { foreignAnswer } from "../../../datasets/foreign-answer.ts"
import { systemClock } from "../../core/clock.ts"
import { UsageError } from "../../core/errors.ts"
import { interrupted } from "../../core/interruption.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import type { ScoredForeignAnswer } from "../../pipeline/score-file/score-file.ts"
import { scoreRows } from "../../pipeline/score-file/score-rows.ts"
import { ownModule } from "../../platform/own-module.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import type { ForeignRow } from "../../rows/foreign-variant.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import { count, counted } from "../../words/number.ts"
import type { CommandIo } from "../command.ts"
import { inputRows } from "../files/input-rows.ts"
import { askedWords } from "./asked-words.ts"
import type { MetricSource } from "./chosen-metrics.ts"
import { openRowsFile } from "./rows-file.ts"

/** A file of outputs, and how it is scored. */
export interface ScoreFileOptions {
  readonly file: string
  /** File for one line per answer; absent: none is written. */
  readonly rows: string | undefined
  /** Where threads find the metrics again: the config, and the names that were asked for. */
  readonly source: MetricSource
  readonly evaluation: Evaluation
  /** Fields and columns, where the file names its columns otherwise. */
  readonly columns: readonly ColumnPair[]
  /** Threads; null: as many as the work is worth. */
  readonly workers: number | null
  /** Rows that were read already. Default: those of the file. */
  readonly given?: AsyncIterable<ForeignRow>
  /** Sees every answer with its scores. */
  onScored?(answer: ScoredForeignAnswer): void
}

/** Scores a file with progress on stderr and, where asked for, one line per answer in a file. */
export async function scoreRowsFile(options: ScoreFileOptions, io: CommandIo): ReturnType<typeof scoreRows> {
  const { file, evaluation, source } = options
  const cacheDirectory = userCacheDirectory(io.environment)
  const rowsFile =
    options.rows === undefined ? null : await openRowsFile(options.rows, orderMetrics(evaluation.metrics))
  const progress = createRowsProgress(io)
  try {
    const scored = await scoreRows({
      evaluation,
      rows: mappedRows(options.given ?? inputRows(file, io), options.columns),
      readAnswer: foreignAnswer,
      threads: {
        wanted: options.workers,
        most: availableParallelism(),
        bytes: await sizeOf(resolve(io.cwd, file)),
        module: ownModule(import.meta.url, "./score-worker"),
        workerData: { ...source, cacheDirectory },
      },
      async onAnswer(answer, count) {
        await rowsFile?.write(answer)
        options.onScored?.(answer)
        progress.show(count)
      },
      onAsked: (calls) => {
        progress.end()
        io.err(`evalkit: ${file}: ${askedWords(calls)}\n`)
      },
      clock: systemClock,
      signal: io.signal,
      environment: io.environment,
      cacheDirectory,
      defaultEmbedder: transformers({ cacheDirectory }),
    })
    if (scored.total > 0) return scored
  } catch (error) {
    if (io.signal.aborted) throw interrupted()
    throw error
  } finally {
    progress.end()
    await rowsFile?.close()
  }
  throw new UsageError("the file has no rows", { where: file, hint: 'write rows like {"id": "1", "output": "…"}' })
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Rows so far on stderr, from the second second on: redrawn on a terminal, else a line every ten seconds. */
function createRowsProgress(io: Pick<CommandIo, "interactive" | "err">): {
  show(rows: number): void
  end(): void
} {
  const started = systemClock.now()
  let next = started + 1000
  let drawn = false
  return {
    show(rows) {
      if (rows % 256 !== 0) return
      const now = systemClock.now()
      if (now < next) return
      next = now + (io.interactive ? 200 : 10_000)
      const text = `${counted(rows, "row")}, ${count(Math.round((rows / (now - started)) * 1000))} per second`
      io.err(io.interactive ? `\r\u001b[2K${text}` : `evalkit: ${text}\n`)
      drawn = io.interactive
    },
    end() {
      if (drawn) io.err("\r\u001b[2K")
    },
  }
}
