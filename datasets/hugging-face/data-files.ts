import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { UsageError } from "../../src/core/errors.ts"
import { type DownloadLimits, download, shownUrl } from "../download.ts"
import type { Task } from "./task-file.ts"

/** More files than a split has. */
const maxFiles = 10_000

/**
 * The Parquet files of a task whose `eval.yaml` lies on the Hub: the server lists those that it made of a split.
 *
 * @throws UsageError for a URL that is none of a data set's repository, or of a revision of which the server makes no Parquet
 */
export async function filesOnHub(url: URL, task: Task, limits: DownloadLimits): Promise<readonly URL[]> {
  const [, repository, revision] = /^\/datasets\/([^/]+\/[^/]+)\/(?:resolve|raw)\/([^/]+)\//.exec(url.pathname) ?? []
  if (repository === undefined || revision !== "main")
    throw new UsageError("where the rows are cannot be seen from this URL", {
      where: shownUrl(url),
      hint: "give them as data: [URL of a Parquet, JSONL or CSV file, …]; known are …/datasets/ORG/NAME/resolve/main/eval.yaml",
    })
  const list = new URL(`/api/datasets/${repository}/parquet/${task.config}/${task.split}`, url)
  const text = await readFile(await download(list, { ...limits, maxBytes: 2 ** 20 }, "list of files"), "utf8")
  const urls = listed(text)
  if (urls === null)
    throw new UsageError("the server's list of Parquet files cannot be read", {
      where: shownUrl(list),
      hint: "give the files as data: [URL, …]",
    })
  return urls
}

function listed(text: string): readonly URL[] | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value) || value.length === 0 || value.length > maxFiles) return null
    const urls = value.map((url) => new URL(String(url)))
    return urls.every(({ protocol }) => protocol === "https:" || protocol === "http:") ? urls : null
  } catch {
    return null
  }
}

/**
 * The files of a task whose repository lies on this machine: those that are named by its split, beside the `eval.yaml`, in `data` or in a
 * folder of the config's name.
 *
 * @param folder that the `eval.yaml` lies in
 * @throws UsageError where there is none
 */
export async function filesBeside(folder: string, task: Task, shown: string): Promise<readonly string[]> {
  const folders = await readdir(folder, { withFileTypes: true })
  const places = [task.config, "data", "."].filter(
    (name) => name === "." || folders.some((entry) => entry.name === name && entry.isDirectory()),
  )
  for (const inner of places) {
    const names = (await readdir(join(folder, inner))).filter((name) => isOfSplit(name, task.split)).sort()
    // A split that is there in two formats is taken once.
    const [first] = names
    if (first !== undefined)
      return names.filter((name) => extensionOf(name) === extensionOf(first)).map((name) => join(folder, inner, name))
  }
  throw new UsageError(`no file of the split "${task.split}" is beside it`, {
    where: shown,
    hint: `name the files: data: ["${task.split}.parquet"]; looked for ${task.split}.parquet and ${task.split}-*.parquet (JSONL, JSON, CSV, TSV) here, in data and in ${task.config}`,
  })
}

const extensionOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

function isOfSplit(name: string, split: string): boolean {
  if (!["parquet", "jsonl", "json", "csv", "tsv"].includes(extensionOf(name))) return false
  return name.startsWith(split) && /^[.-]/.test(name.slice(split.length))
}
