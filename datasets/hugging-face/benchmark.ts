import { basename, dirname } from "node:path"
import type { Dataset } from "../../src/core/dataset.ts"
import { isRow, type ReadRow } from "../bad-row.ts"
import type { DownloadLimits } from "../download.ts"
import { fromRows } from "../from-rows.ts"
import type { DatasetFileOptions } from "../options.ts"
import { readFormat } from "../read-rows.ts"
import { type Source, source } from "../source.ts"
import { filesBeside, filesOnHub } from "./data-files.ts"
import { readTask, type Task } from "./task-file.ts"
import { taskRow } from "./task-row.ts"

/** A benchmark's `eval.yaml` as a data set: the rows of one of its tasks. */
export function benchmark(
  location: string | URL,
  options: DatasetFileOptions,
  reopen: (folder: string) => Dataset,
): Dataset {
  // No table: it is read whole.
  const from = source(location, { ...options, format: "lines" })
  let opened: Promise<readonly Source[]> | undefined
  let task: Task | undefined
  const open = (signal?: AbortSignal): Promise<readonly Source[]> => {
    opened ??= (async () => {
      const limits: DownloadLimits = { ...options.limits, ...(signal && { signal }) }
      task = await readTask(await from.open(signal), from.shown, options.task)
      const locations = await dataLocations(from, location, task, options, limits)
      return locations.map((path) => source(path, { ...options, baseDirectory: from.folder() ?? "." }))
    })().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const paths = new Map<Source, Promise<string>>()
  return fromRows(
    {
      name: nameOf(from.shown),
      shown: from.shown,
      async *rows(signal): AsyncGenerator<ReadRow> {
        for (const file of await open(signal)) {
          if (!paths.has(file)) paths.set(file, file.open(signal))
          const path = await paths.get(file)?.catch((error) => {
            paths.delete(file)
            throw error
          })
          const rows = readFormat(path as string, file.shown, file.format, { ...options, ...(signal && { signal }) })
          for await (const read of rows) yield isRow(read) ? taskRow(read, (task as Task).fields) : read
        }
      },
      folder: from.folder,
      resolveFrom: reopen,
    },
    options,
  )
}

async function dataLocations(
  from: Source,
  location: string | URL,
  task: Task,
  { data }: DatasetFileOptions,
  limits: DownloadLimits,
): Promise<readonly (string | URL)[]> {
  const folder = from.folder()
  const names = data === undefined ? null : [data].flat()
  if (folder !== null) return names ?? filesBeside(folder, task, from.shown)
  const url = new URL(String(location))
  return names?.map((name) => new URL(name, url)) ?? filesOnHub(url, task, limits)
}

/** The repository on the Hub, or the folder: `eval` is the name of all of them. */
function nameOf(shown: string): string {
  const [, repository] = /\/datasets\/[^/]+\/([^/]+)\/(?:resolve|raw)\//.exec(shown) ?? []
  return repository ?? (basename(dirname(shown)).replace(/^\.+$/, "") || "benchmark")
}
