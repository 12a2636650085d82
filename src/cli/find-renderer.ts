import { reportRenderers } from "../../reports/renderers.ts"
import { UsageError } from "../core/errors.ts"
import type { ReportRenderer } from "../core/report/report-renderer.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { CommandIo } from "./command.ts"
import { configOf } from "./run-config.ts"

/** Names of the built-in renderers. */
export const rendererNames: readonly string[] = reportRenderers.map(({ name }) => name)

/**
 * The renderer of `--format`: one of ours by its name or its file extension (`md`), or one that the config of the run names.
 *
 * @throws UsageError for a name that neither has
 */
export async function findRenderer(
  name: string,
  run: RunRecord,
  config: string | undefined,
  io: CommandIo,
): Promise<ReportRenderer> {
  const known = reportRenderers.find((one) => one.name === name || one.extension === name)
  const own = known ? [] : ((await configOf(run, config, io)).config?.reports ?? [])
  const found = known ?? own.find((one) => one.name === name)
  if (found) return found
  throw new UsageError(`there is no format "${name.slice(0, 40)}"`, {
    where: "--format",
    hint: `choose from: ${[...reportRenderers, ...own].map((one) => one.name).join(", ")}`,
  })
}
