import { resolve } from "node:path"
import type { Dataset } from "../src/core/dataset.ts"
import type { JsonObject } from "../src/core/json.ts"
import { checkOptions, type OptionKinds } from "../src/core/options.ts"
import { fromRows } from "./from-rows.ts"
import { mediaOptions } from "./media/options.ts"
import type { DatasetOptions } from "./options.ts"

/** Options of {@link inline}. @public */
export type InlineOptions = Omit<DatasetOptions, "format" | "limits" | "maxLineBytes">

const inlineOptions: OptionKinds<InlineOptions> = {
  name: "text",
  fields: "object",
  onBadRow: "text",
  filter: "function",
  sample: "object",
  shuffle: "any",
  limit: "number",
  baseDirectory: "text",
  media: mediaOptions,
}

/**
 * A data set whose rows are in the config itself.
 *
 * @example inline([{ input: "What is the capital of France?", reference: "Paris" }])
 * @public
 */
export function inline(rows: readonly JsonObject[], options: InlineOptions = {}): Dataset {
  checkOptions("inline", options, inlineOptions)
  return fromRows(
    {
      name: "inline",
      shown: "inline",
      folder: () => resolve(options.baseDirectory ?? "."),
      resolveFrom: (directory) => inline(rows, { baseDirectory: directory, ...options }),
      async *rows() {
        for (const [index, row] of rows.entries())
          if (typeof row === "object" && row !== null && !Array.isArray(row))
            yield { row, where: `inline#${index + 1}` }
          else yield { where: `inline#${index + 1}`, field: null, reason: "expected an object" }
      },
    },
    options,
  )
}
