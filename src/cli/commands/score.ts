import { stat } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { foreignAnswer } from "../../../datasets/foreign-answer.ts"
import { readRows } from "../../../datasets/read-rows.ts"
import { scoreTable, unscoredLines } from "../../../reports/terminal/score-table.ts"
import { loadConfig } from "../../config/load.ts"
import { systemClock } from "../../core/clock.ts"
import { EvalkitError, ExitCode, UsageError } from "../../core/errors.ts"
import type { Evaluation } from "../../core/evaluation.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { createOfflineTools } from "../../engine/score/metric-tools-offline.ts"
import { orderMetrics } from "../../engine/score/order-metrics.ts"
import { collectForeignScores, type ForeignFigure } from "../../engine/score/score-file.ts"
import { type ScoreStreamOptions, scoreStream } from "../../engine/score/score-stream.ts"
import { localScorer } from "../../engine/score/scorer.ts"
import { workerPool } from "../../engine/score/worker-pool.ts"
import { ownModule } from "../../platform/own-module.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import type { Command, CommandIo } from "../command.ts"
import { openRowsFile } from "../score/rows-file.ts"
import { createRowsProgress } from "../score/rows-progress.ts"
import { scoreStoredRun } from "../score/score-run.ts"

/** Work in this thread, in seconds, from which starting workers pays. */
const worthWorkersSeconds = 4

/** `evalkit score FILE or RUN`: metrics on outputs of another tool, or on a stored run's; no variant's model is called. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("file", {
        type: "string",
        demandOption: true,
        describe: "JSONL, JSON, CSV, TSV or Parquet rows; or a run",
      })
      .option("only-missing", {
        type: "boolean",
        default: false,
        describe: "a run: compute only the scores that are missing",
      })
      .option("config", { type: "string", describe: "config with the metrics (default eval.config.ts)" })
      .option("rows", { type: "string", describe: "write one JSON line per sample to this file" })
      .option("workers", { type: "number", describe: "worker threads; 0: none (default: by the amount of work)" })
      .option("json", { type: "boolean", default: false, describe: "print the figures as JSON" })
      .example("$0 score outputs.jsonl --config score.config.ts", 'rows like {"id","output","references"}')
      .example("$0 score 7f3a", "a stored run with the metrics that the config has now")
      .example("$0 score outputs.csv --json --rows scores.jsonl", "figures to stdout, one line per sample to a file"),

  async run(args, io) {
    if (await isRun(String(args.file), io)) {
      const options = {
        config: args.config as string | undefined,
        onlyMissing: args.onlyMissing === true,
        json: args.json === true,
      }
      return scoreStoredRun(String(args.file), options, io)
    }
    const { path: configPath, evaluation } = await loadConfig(args.config as string | undefined, { cwd: io.cwd })
    const file = String(args.file)
    if (evaluation.metrics.length === 0)
      throw new UsageError("the config has no metrics", { where: configPath, hint: "metrics: [exactMatch()]" })
    const { figures, total } = await scoreFile({ ...files(args, io), configPath, evaluation, io, ...workers(args) })
    for (const line of unscoredLines(figures)) io.err(`evalkit: ${file}: ${line}\n`)
    io.out(args.json ? `${JSON.stringify(jsonOf(figures, total))}\n` : scoreTable(figures, total))
    return ExitCode.ok
  },
}

/** A name that no file has, made of the letters of a run's id. */
async function isRun(name: string, io: CommandIo): Promise<boolean> {
  return /^[0-9a-f]{2,32}$/.test(name) && !(await stat(resolve(io.cwd, name)).catch(() => null))
}

interface ScoreFileOptions {
  readonly file: string
  readonly rows: string | undefined
  readonly configPath: string
  readonly evaluation: Evaluation
  readonly workers: number | undefined
  readonly io: CommandIo
}

async function scoreFile(options: ScoreFileOptions): Promise<{ figures: ForeignFigure[]; total: number }> {
  const { file, evaluation, io } = options
  const metrics = orderMetrics(evaluation.metrics)
  const offline = createOfflineTools({
    evaluation,
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory: userCacheDirectory(io.environment),
    defaultEmbedder: transformers({ cacheDirectory: userCacheDirectory(io.environment) }),
  })
  const rowsFile = options.rows === undefined ? null : await openRowsFile(options.rows, metrics)
  const scores = collectForeignScores(metrics)
  const progress = createRowsProgress(io)
  const plain = () => !offline.calledModels() && metrics.every((metric) => metric.close === undefined)
  try {
    const stream = scoreStream({
      rows: readRows(file, { baseDirectory: io.cwd, signal: io.signal }),
      local: localScorer(metrics, offline.tools, foreignAnswer),
      pool: await poolChoice(options, plain),
      signal: io.signal,
    })
    for await (const answer of stream) {
      scores.add(answer)
      await rowsFile?.write(answer)
      progress.show(scores.count)
    }
  } catch (error) {
    if (io.signal.aborted)
      throw new EvalkitError("interrupted", { code: "interrupted", exitCode: ExitCode.interrupted, cause: error })
    throw error
  } finally {
    progress.end()
    await rowsFile?.close()
    await Promise.all(metrics.map((metric) => metric.close?.()))
    await offline.close()
  }
  if (scores.count === 0)
    throw new UsageError("the file has no rows", { where: file, hint: 'write rows like {"id": "1", "output": "…"}' })
  const byName = new Map(scores.figures(evaluation).map((figure) => [figure.metric, figure]))
  const figures = evaluation.metrics.map(({ name }) => byName.get(name) as ForeignFigure)
  return { figures, total: scores.count }
}

/** Workers pay where the rest of the file takes seconds and the metrics hold nothing that every thread would have to open. */
async function poolChoice(options: ScoreFileOptions, plain: () => boolean): Promise<ScoreStreamOptions["pool"]> {
  const bytes = await stat(resolve(options.io.cwd, options.file)).then(
    ({ size }) => size,
    () => 0,
  )
  const { configPath } = options
  const cacheDirectory = userCacheDirectory(options.io.environment)
  const module = ownModule(import.meta.url, "../score/score-worker")
  return ({ rows, seconds }) => {
    // A row of a few hundred bytes: only the order of magnitude matters here.
    const expected = (bytes / 400 / rows) * seconds
    const workers = options.workers ?? (expected > worthWorkersSeconds ? availableParallelism() : 0)
    if (workers < 1 || (options.workers === undefined && workers < 2) || !plain()) return null
    return { ...workerPool({ workers, module, workerData: { configPath, cacheDirectory } }), workers }
  }
}

function files(args: Readonly<Record<string, unknown>>, io: CommandIo): Pick<ScoreFileOptions, "file" | "rows"> {
  return { file: String(args.file), rows: args.rows === undefined ? undefined : resolve(io.cwd, String(args.rows)) }
}

function workers(args: Readonly<Record<string, unknown>>): Pick<ScoreFileOptions, "workers"> {
  const number = args.workers as number | undefined
  if (number !== undefined && !(Number.isInteger(number) && number >= 0 && number <= 256))
    throw new UsageError("--workers must be a whole number from 0 to 256", { where: `--workers ${number}` })
  return { workers: number }
}

function jsonOf(figures: readonly ForeignFigure[], total: number) {
  return {
    n: total,
    metrics: Object.fromEntries(
      figures.map(({ metric, signature, figure, scored, unscored, details }) => [
        metric,
        {
          value: figure.status === "known" ? figure.value : null,
          low: figure.status === "known" ? (figure.low ?? null) : null,
          high: figure.status === "known" ? (figure.high ?? null) : null,
          ...(figure.status === "known" ? { method: figure.method } : { reason: figure.reason }),
          scored,
          unscored: total - scored,
          ...(unscored.size > 0 && { reasons: Object.fromEntries(unscored) }),
          signature,
          details,
        },
      ]),
    ),
  }
}
