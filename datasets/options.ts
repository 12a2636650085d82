import type { Sample } from "../src/core/sample.ts"
import type { DownloadLimits } from "./download.ts"
import type { FieldMapping } from "./fields.ts"
import type { MediaOptions } from "./media/options.ts"
import type { DatasetFormat } from "./source.ts"

/** Which samples of a data set are used. Applied in this order: filter, sample, shuffle, limit. @public */
export interface Selection {
  /** Keeps the samples for which it is true. Default: all. */
  readonly filter?: (sample: Sample) => boolean
  /**
   * A seeded random subset of `n`, in file order; with `by`, each stratum keeps its share (largest remainders, at least
   * one each while `n` allows). Costs a pass of its own, and memory for one number per sample. Default: all.
   */
  readonly sample?: {
    readonly n: number
    /** `group`, `cluster`, `label`, or a metadata field. */
    readonly by?: string
    /** Default: 1. */
    readonly seed?: number
  }
  /** A seeded random order. Holds all selected samples in memory. Default: file order. */
  readonly shuffle?: { readonly seed?: number } | boolean
  /** The first n. Default: all. */
  readonly limit?: number
}

/** Options of `dataset()` and `inline()`. @public */
export interface DatasetOptions extends Selection {
  /** Shown in reports. Default: the file's name without its extension. */
  readonly name?: string
  /** Default: by the extension. */
  readonly format?: DatasetFormat
  /** Where the fields of a sample are. Default: under their usual names (`id`, `input`, `prompt`, `question` …). */
  readonly fields?: FieldMapping
  /** What happens to a row that cannot be used: it stops the run, or is left out and reported. Default: `strict`. */
  readonly onBadRow?: "strict" | "skip"
  /** Longest line or record in bytes. Default: 64 MiB. */
  readonly maxLineBytes?: number
  /** Folder that a relative path starts from. Default: the config's folder, else the working directory. */
  readonly baseDirectory?: string
  /** Bounds of a download. */
  readonly limits?: DownloadLimits
  /** Where pictures and recordings may come from, and how large they may be. */
  readonly media?: MediaOptions
}

/** Options of `dataset()`. @public */
export interface DatasetFileOptions extends DatasetOptions {
  /** Of an `eval.yaml` with several tasks: the id of one of them. */
  readonly task?: string
  /**
   * Of an `eval.yaml`: the files with its rows, relative to it. Default: those that are named by the task's split, beside it; on the
   * Hugging Face Hub the Parquet files that the Hub made of it.
   */
  readonly data?: string | readonly string[]
}
