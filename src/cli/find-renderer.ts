import { reportRenderers } from "../../reports/renderers.ts"
import { nearest } from "../core/did-you-mean.ts"
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
 * @param others formats of the command that are not made by a renderer, for the message
 * @throws UsageError for a name that neither has
 */
export async function findRenderer(
  name: string,
  run: RunRecord,
  config: string | undefined,
  io: CommandIo,
  others: readonly string[] = [],
): Promise<ReportRenderer> {
  const builtIn = reportRenderers.find(
    (reportRenderer) => reportRenderer.name === name || reportRenderer.extension === name,
  )
  const own = builtIn ? [] : ((await configOf(run, config, io)).config?.reports ?? [])
  const renderer = builtIn ?? own.find((reportRenderer) => reportRenderer.name === name)
  if (renderer) return renderer
  const names = [...reportRenderers, ...own].map((reportRenderer) => reportRenderer.name).concat(others)
  const near = nearest(name, names)
  throw new UsageError(`there is no format "${name.slice(0, 40)}"`, {
    where: "--format",
    hint: `${near === undefined ? "" : `did you mean "${near}"? `}choose from: ${names.join(", ")}`,
  })
}
