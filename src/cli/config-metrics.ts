import { messageOf } from "../core/errors.ts"
import type { RunRecord } from "../core/run-record.ts"
import type { LoadedMetrics } from "../engine/compare/source/stored-metrics.ts"
import type { CommandIo } from "./command.ts"

/** The metrics of the config that a run was made with, or why it cannot be loaded any more. */
export async function configMetrics(run: Pick<RunRecord, "configPath">, io: CommandIo): Promise<LoadedMetrics> {
  if (run.configPath === null) return { metrics: [], cause: "the run was not made from a config file" }
  const { loadConfig } = await import("../config/load.ts")
  return loadConfig(run.configPath, { cwd: io.cwd }).then(
    ({ evaluation }) => ({ metrics: evaluation.metrics, cause: null }),
    (error: unknown) => ({
      metrics: [],
      cause: `its config could not be loaded (${run.configPath}: ${messageOf(error)})`,
    }),
  )
}
