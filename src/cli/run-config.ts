import { messageOf } from "../core/errors.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { CommandIo } from "./command.ts"

/** `--config` of commands that read a stored run. */
export const configOption = {
  type: "string",
  describe: "config to take metrics, rules and reports from (default: the one that made the run here)",
} as const

/**
 * The config that the user names, else the one that a run was made with here; null with the cause when there is none or it
 * cannot be loaded any more. What an imported run names is not run: a config is code.
 *
 * @throws UsageError when the config that the user names cannot be loaded
 */
export async function configOf(
  run: Pick<RunRecord, "configPath">,
  named: string | undefined,
  io: Pick<CommandIo, "cwd" | "environment">,
): Promise<{ readonly config: Evaluation | null; readonly cause: string | null }> {
  const [{ loadConfig }, { loadOptions }] = await Promise.all([
    import("../config/load.ts"),
    import("./load-options.ts"),
  ])
  if (named !== undefined) return { config: (await loadConfig(named, loadOptions(io))).evaluation, cause: null }
  if (run.configPath === null)
    return { config: null, cause: "the run does not know its config (name one with --config)" }
  return loadConfig(run.configPath, loadOptions(io)).then(
    ({ evaluation }) => ({ config: evaluation, cause: null }),
    (error: unknown) => ({
      config: null,
      cause: `its config could not be loaded (${run.configPath}: ${messageOf(error)}; name one with --config)`,
    }),
  )
}
