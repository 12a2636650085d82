import { fileURLToPath } from "node:url"
import { bareAnswer, unsentLog } from "../core/bare-answer.ts"
import { UsageError } from "../core/errors.ts"
import type { Answer } from "../core/generation.ts"
import { contentHash } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider, RequestOptions } from "../core/provider.ts"
import type { RecordedRow } from "./recorded/recorded-row.ts"
import type { RowPlace, RowSource } from "./recorded/row-source.ts"
import { unknownResources } from "./unknown-resources.ts"

/** Options of {@link recorded}. @public */
export interface RecordedOptions {
  /** Takes only the rows of this variant, where rows name one. */
  readonly variant?: string
  /** Default: the file's name, or `rows`. */
  readonly model?: string
  readonly label?: string
  readonly quantization?: string
}

/**
 * Answers, timings and usage from a JSONL file or from rows, found by sample id (and repeat): offline runs and tests are
 * deterministic. The log of an answer is the row's own, its stamps as they were written; the row's `ttftMs`, `e2eMs` and
 * `usage.completionTokens` stand in for a log that is not there. See {@link RecordedRow} for the fields.
 *
 * Throws {@link UsageError} at `open` for a file that cannot be read and for a bad row. A sample without a row ends as
 * `client_fault`.
 *
 * @example recorded([{ id: "s1", text: "Paris", ttftMs: 120, e2eMs: 300, usage: { completionTokens: 4 } }])
 * @public
 */
export function recorded(from: string | URL | readonly RecordedRow[], options: RecordedOptions = {}): Provider {
  checkOptions("recorded", options)
  const source = from instanceof URL ? fileURLToPath(from) : from
  if (typeof source !== "string" && !Array.isArray(source))
    throw new UsageError("recorded answers are a file or a list of rows", { where: "recorded(...)" })
  const model = options.model ?? (typeof source === "string" ? (source.split(/[\\/]/).at(-1) as string) : "rows")
  return {
    kind: "recorded",
    traits: { isRecord: true, isFreePerCall: true },
    model,
    label: options.label ?? `recorded ${model}`,
    endpoint: `recorded:${model}`,
    identity: {
      kind: "recorded",
      source: typeof source === "string" ? source : contentHash(source),
      variant: options.variant ?? null,
      quantization: options.quantization ?? null,
    },
    ...(options.quantization === undefined ? {} : { quantization: options.quantization }),
    async open() {
      const { fileSource, listSource } = await import("./recorded/row-source.ts")
      const rows = typeof source === "string" ? fileSource(source) : listSource(source)
      const answers = await indexRows(rows, options.variant).catch((error: unknown) => {
        rows.close()
        throw error
      })
      let isOpen = true
      return {
        request: async (_request, requestOptions) => answers.find(requestOptions) ?? notRecorded(requestOptions),
        resources: () => Promise.resolve(nothingRan),
        notes: () => [],
        async close() {
          if (isOpen) rows.close()
          isOpen = false
        },
      }
    },
  }
}

const nothingRan = unknownResources("the answers were read from a record; nothing ran")

/**
 * Checks every row once and remembers where it is. Answers are read when they are asked for: of 100,000 rows a run holds their ids.
 *
 * @throws {UsageError} for a bad row, and for two rows of one answer
 */
async function indexRows(rows: RowSource, variant: string | undefined) {
  const { readRecordedRow } = await import("./recorded/row.ts")
  const places = new Map<string, RowPlace>()
  for await (const { row, where, position } of rows.rows()) {
    const { sampleId, repeat, variant: rowVariant } = readRecordedRow(row, where)
    if (variant !== undefined && rowVariant !== null && rowVariant !== variant) continue
    const key = keyOf(sampleId, repeat)
    if (places.has(key))
      throw new UsageError(`two recorded answers for sample ${sampleId}, repeat ${repeat}`, {
        where,
        hint: "give the option variant when the rows are of several variants",
      })
    places.set(key, position)
  }
  return {
    /** A row without a repeat answers every repeat that has none of its own. */
    find({ sampleId, repeat = 0 }: RequestOptions): Answer | null {
      if (sampleId === undefined) return null
      const position = places.get(keyOf(sampleId, repeat)) ?? places.get(keyOf(sampleId, 0))
      if (!position) return null
      const { row, where } = rows.row(position)
      const recorded = readRecordedRow(row, where)
      if (recorded.sampleId === sampleId) return recorded.answer
      throw new UsageError("the recorded answers have changed since the run began", { where })
    },
  }
}

function keyOf(sampleId: string, repeat: number): string {
  return `${repeat}\u0000${sampleId}`
}

function notRecorded({ sampleId, repeat = 0, clock, originMs, scheduledMs }: RequestOptions): Answer {
  return bareAnswer({
    outcome: "client_fault",
    log: unsentLog(scheduledMs - originMs, clock.now() - originMs),
    failure: {
      message: `no recorded answer for sample ${sampleId ?? "(without an id)"}, repeat ${repeat}`,
      code: "not_recorded",
    },
  })
}
