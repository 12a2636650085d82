import type { LoadConfigOptions } from "../config/load.ts"
import { UsageError } from "../core/errors.ts"
import type { CommandIo } from "./command.ts"

/**
 * How a command loads a config: from its folder, within the time that the environment grants. Whoever has something to end in
 * order adds the command's signal; for all others the system ends the process at once, whatever it is at.
 */
export function loadOptions({ cwd, environment }: Pick<CommandIo, "cwd" | "environment">): LoadConfigOptions {
  const seconds = environment.EVALKIT_CONFIG_SECONDS
  if (seconds === undefined || seconds === "") return { cwd }
  const timeoutMs = Number(seconds) * 1000
  if (!(timeoutMs > 0))
    throw new UsageError("EVALKIT_CONFIG_SECONDS must be a number above 0", { where: seconds.slice(0, 40) })
  return { cwd, timeoutMs }
}
