import { messageOf } from "../core/errors.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { CommandIo } from "./command.ts"
import { loadOptions } from "./load-options.ts"

/** The config that a run was made with; null with the cause when it cannot be loaded any more. */
export async function configOf(
  run: Pick<RunRecord, "configPath">,
  io: Pick<CommandIo, "cwd" | "signal" | "environment">,
): Promise<{ readonly config: Evaluation | null; readonly cause: string | null }> {
  if (run.configPath === null) return { config: null, cause: "the run was not made from a config file" }
  const { loadConfig } = await import("../config/load.ts")
  return loadConfig(run.configPath, loadOptions(io)).then(
    ({ evaluation }) => ({ config: evaluation, cause: null }),
    (error: unknown) => ({
      config: null,
      cause: `its config could not be loaded (${run.configPath}: ${messageOf(error)})`,
    }),
  )
}
