import type { ColumnPair } from "../../../datasets/columns/column-pairs.ts"
import { foreignAnswer } from "../../../datasets/foreign-answer.ts"
import type { CompareSource } from "../../analyse/source/file-source.ts"
import type { PairBy } from "../../analyse/source/pair-by-content.ts"
import { systemClock } from "../../core/clock.ts"
import { UsageError } from "../../core/errors.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { scoredSource } from "../../pipeline/score-file/scored-source.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { createOfflineTools } from "../../score/metric-tools-offline.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import type { Args, CommandIo } from "../command.ts"
import { foreignFiles } from "../compare/foreign-files.ts"
import { chosenMetrics } from "./chosen-metrics.ts"

/**
 * `evalkit compare A B --metric NAME`: the outputs of two files, scored by the same metrics.
 *
 * @throws {UsageError} where --metric and --on are both given, and for what cannot be read or scored
 */
export async function scoredFiles(
  names: readonly [string, string],
  args: Args,
  how: {
    readonly columns: readonly ColumnPair[]
    readonly id: readonly string[] | null
    readonly pairBy: PairBy | undefined
  },
  io: CommandIo,
): Promise<CompareSource> {
  for (const option of ["on", "lower"])
    if (args[option] !== undefined)
      throw new UsageError(`--metric measures the outputs, --${option} is about scores that the files have`, {
        where: `--metric and --${option}`,
        hint: "give one of them",
      })
  const { evaluation, source } = await chosenMetrics(args, io)
  const cacheDirectory = userCacheDirectory(io.environment)
  const metrics = orderMetrics(evaluation.metrics)
  const offline = createOfflineTools({
    evaluation,
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory,
    defaultEmbedder: transformers({ cacheDirectory }),
  })
  try {
    const files = await foreignFiles(names, { columns: how.columns, outputs: true }, io)
    return await scoredSource(files, {
      metrics,
      names: evaluation.metrics.slice(0, source.names.length).map(({ name }) => name),
      tools: offline.tools,
      readAnswer: foreignAnswer,
      id: how.id,
      pairBy: how.pairBy,
      signal: io.signal,
    })
  } finally {
    await Promise.all(metrics.map((metric) => metric.close?.()))
    await offline.close()
  }
}
