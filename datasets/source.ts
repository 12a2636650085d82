import { statSync } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, dirname, isAbsolute, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { UsageError } from "../src/core/errors.ts"
import { type DownloadLimits, download, shownUrl } from "./download.ts"
import { folderFault } from "./folder-fault.ts"

/** Formats that can be read. NDJSON is JSONL; `lines`: every line is an input, of a file of any name. @public */
export type DatasetFormat = "json" | "jsonl" | "csv" | "tsv" | "parquet" | "lines"

const extensions = new Map<string, DatasetFormat>([
  ["json", "json"],
  ["jsonl", "jsonl"],
  ["ndjson", "jsonl"],
  ["csv", "csv"],
  ["tsv", "tsv"],
  ["tab", "tsv"],
  ["parquet", "parquet"],
])

/** A file on this machine or behind a URL. */
export interface Source {
  /** Its name in messages and reports: the path, relative where it can be, or the URL without its query. */
  readonly shown: string
  /** File name without its extension. */
  readonly name: string
  readonly format: DatasetFormat
  /** The folder that it lies in; null behind a URL. */
  folder(): string | null
  /** The local path; downloads a URL first. */
  open(signal?: AbortSignal): Promise<string>
}

/**
 * Resolves the location of data: a path relative to `baseDirectory`, a file: URL, or an http(s) URL.
 *
 * @throws UsageError for another protocol, for a folder, or when no format is given and the extension is unknown or there is no
 * such file; on opening, when there is none.
 */
export function source(
  location: string | URL,
  options: { readonly format?: DatasetFormat; readonly baseDirectory?: string; readonly limits?: DownloadLimits },
): Source {
  const url = asUrl(location)
  const path = url === null ? String(location) : url.protocol === "file:" ? fileURLToPath(url) : url.pathname
  const base = resolve(options.baseDirectory ?? ".")
  const shown = url === null || url.protocol === "file:" ? shortPath(path, base) : shownUrl(url)
  const remote = url !== null && url.protocol !== "file:"
  if (remote && url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError(`data cannot be read over ${url.protocol}`, {
      where: shown,
      hint: "give a path or an http(s) URL",
    })
  const file = basename(path)
  const extension = extensionOf(file)
  const format = options.format ?? extensions.get(extension)
  if (format === undefined && !remote) refuseUnread(resolve(base, path), shown, options.baseDirectory !== undefined)
  if (format === undefined)
    throw new UsageError(
      `the format of the data cannot be determined from ${extension ? `".${extension}"` : "its name"}`,
      {
        where: shown,
        hint: `${extension || remote ? "" : "if it is a folder, give a file in it; else "}pass format: "json", "jsonl", "csv", "tsv", "parquet" or "lines"`,
      },
    )
  return {
    shown,
    name: (extension ? file.slice(0, -extension.length - 1) : file) || "data",
    format,
    folder: () => (remote ? null : dirname(resolve(base, path))),
    open: async (signal) =>
      remote
        ? download(url, { ...options.limits, ...(signal ? { signal } : {}) })
        : localFile(resolve(base, path), shown),
  }
}

const extensionOf = (file: string): string => /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase() ?? ""

/** Whether a file of this name is read without being told its format. */
const isDataFile = (file: string): boolean => extensions.has(extensionOf(file)) || /^eval\.ya?ml$/i.test(file)

/**
 * A folder, and what is not there, are said to be that rather than to have no known format. Where no base folder is stated, a path
 * may yet be resolved from another, as that of a config is.
 */
function refuseUnread(path: string, shown: string, isBaseKnown: boolean): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats && isBaseKnown) throw missingFile(path, shown)
  if (stats?.isDirectory()) throw folderFault(path, shown, isDataFile)
}

function missingFile(path: string, shown: string, cause?: unknown): UsageError {
  return new UsageError("there is no such data file", {
    code: "dataset_not_found",
    where: shown,
    hint: `looked at ${path}`,
    cause,
  })
}

/** An absolute path inside the base folder is named from there: a report shows no folder of this machine. */
function shortPath(path: string, base: string): string {
  const short = isAbsolute(path) ? relative(base, path) : path
  return short.startsWith("..") || isAbsolute(short) ? path : short
}

function asUrl(location: string | URL): URL | null {
  if (location instanceof URL) return location
  // A drive letter such as C:\ is not a protocol.
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return null
  if (URL.canParse(location)) return new URL(location)
  throw new UsageError("the data set's URL cannot be read", { where: location.split("?", 1)[0] ?? "" })
}

async function localFile(path: string, shown: string): Promise<string> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw missingFile(path, shown, error)
    throw new UsageError(`the data file cannot be read (${error.code})`, {
      code: "dataset_not_found",
      where: shown,
      hint: `looked at ${path}`,
      cause: error,
    })
  })
  if (stats.isDirectory()) throw folderFault(path, shown, isDataFile)
  if (!stats.isFile()) throw new UsageError("the data set is not a file", { code: "dataset_not_found", where: shown })
  return path
}
