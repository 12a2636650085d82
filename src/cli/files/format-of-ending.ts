import { benchRenderers } from "../../../reports/bench/renderers.ts"
import { reportRenderers } from "../../../reports/renderers.ts"
import { UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { CommandIo } from "../command.ts"
import { configOf } from "../run-config.ts"

/** What an archive's file ends with. */
const archiveEnding = "evalkit.jsonl"

/**
 * The format that the ending of a file's name asks for, where `--format` does not say it: `answers.parquet` is `parquet`. A name
 * without an ending asks for none.
 *
 * @param config the config that may name reports of its own; absent: the run's
 * @returns null for a name without an ending
 * @throws UsageError for an ending that is of no format
 */
export async function formatOfEnding(
  file: string,
  run: RunRecord,
  config: string | undefined,
  io: CommandIo,
): Promise<string | null> {
  const name = (file.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.htm$/, ".html")
  const [, last] = /[^.]\.([a-z0-9-]+)$/.exec(name) ?? []
  if (last === undefined) return null
  const formats = run.kind === "bench" ? benchRenderers : reportRenderers
  const builtIn = [{ name: "archive", extension: archiveEnding }, ...formats]
  const format = byEnding(name, builtIn) ?? byEnding(name, (await configOf(run, config, io)).config?.reports ?? [])
  if (format !== null) return format
  // One format alone has the last part of its ending: `gate.xml` is `junit`.
  const alike = builtIn.filter(({ extension }) => extension.endsWith(`.${last}`))
  if (alike.length === 1) return alike[0]?.name ?? null
  throw new UsageError(`no format ends with .${last}`, {
    where: `--out ${file}`,
    hint: `take one of ${builtIn.map(({ extension }) => `.${extension}`).join(", ")}, or name the format with --format`,
  })
}

/** The format with the longest ending that a name has, or is. */
function byEnding(
  name: string,
  formats: readonly { readonly name: string; readonly extension: string }[],
): string | null {
  const fitting = formats.filter(({ extension }) => name === extension || name.endsWith(`.${extension}`))
  return fitting.sort((a, b) => b.extension.length - a.extension.length)[0]?.name ?? null
}
