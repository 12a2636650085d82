import { readFile } from "node:fs/promises"

/** A page of the reference, made by the build from doc comments. */
export interface ReferencePage {
  /** As a user writes it: `exactMatch`, `config.margin`. */
  readonly name: string
  /** `program`: a function that only sub-paths export (`evalkit/stats`), for programs. */
  readonly kind: "metric" | "judge" | "rubric" | "provider" | "config" | "report" | "name" | "program" | "command"
  readonly summary: string
  /** Markdown. */
  readonly text: string
}

/** Beside this file in the built package; below `dist` when this file runs from its source. */
const places = ["../../reference/", "../../dist/reference/", "../reference/"].map(
  (path) => new URL(`${path}pages.json`, import.meta.url),
)

/** The pages of the reference, read once a process; null where they were not built. */
export function loadReference(): Promise<readonly ReferencePage[] | null> {
  loading ??= readReference()
  return loading
}

let loading: Promise<readonly ReferencePage[] | null> | undefined

async function readReference(): Promise<readonly ReferencePage[] | null> {
  for (const url of places)
    try {
      return JSON.parse(await readFile(url, "utf8")) as ReferencePage[]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    }
  return null
}
