import type { LoadConfigOptions } from "../config/load.ts"
import { UsageError } from "../core/errors.ts"
import type { CommandIo } from "./command.ts"

/** How a command loads a config: from its folder, until it is interrupted, within the time that the environment grants. */
export function loadOptions({
  cwd,
  signal,
  environment,
}: Pick<CommandIo, "cwd" | "signal" | "environment">): LoadConfigOptions {
  const seconds = environment.EVALKIT_CONFIG_SECONDS
  if (seconds === undefined || seconds === "") return { cwd, signal }
  const timeoutMs = Number(seconds) * 1000
  if (!(timeoutMs > 0))
    throw new UsageError("EVALKIT_CONFIG_SECONDS must be a number above 0", { where: seconds.slice(0, 40) })
  return { cwd, signal, timeoutMs }
}
