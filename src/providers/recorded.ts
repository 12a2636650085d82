import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { bareAnswer, unsentLog } from "../core/bare-answer.ts"
import { UsageError } from "../core/errors.ts"
import type { Answer } from "../core/generation.ts"
import { contentHash } from "../core/json.ts"
import { checkOptions, type OptionKinds } from "../core/options.ts"
import type { Provider, RequestOptions } from "../core/provider.ts"
import type { RecordedRow } from "./recorded/recorded-row.ts"

/** Options of {@link recorded}. @public */
export interface RecordedOptions {
  /** Takes only the rows of this variant, where rows name one. */
  readonly variant?: string
  /** Default: the file's name, or `rows`. */
  readonly model?: string
  readonly label?: string
  readonly quantization?: string
}

const recordedOptions: OptionKinds<RecordedOptions> = {
  variant: "text",
  model: "text",
  label: "text",
  quantization: "text",
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
  checkOptions("recorded", options, recordedOptions)
  const source = from instanceof URL ? fileURLToPath(from) : from
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
      const answers = await indexRows(source, options.variant)
      return {
        request: (_request, requestOptions) => Promise.resolve(findAnswer(answers, requestOptions)),
        resources: () => Promise.resolve(nothingRan),
        notes: () => [],
        close: () => Promise.resolve(),
      }
    },
  }
}

const nothingRan = {
  peakRssBytes: null,
  rssOverIdleBytes: null,
  cpuSeconds: null,
  gpu: null,
  modelBytes: null,
  loadMs: null,
  reason: "the answers were read from a record; nothing ran",
}

async function indexRows(
  source: string | readonly RecordedRow[],
  variant: string | undefined,
): Promise<ReadonlyMap<string, Answer>> {
  const { readRecordedRow } = await import("./recorded/row.ts")
  const answers = new Map<string, Answer>()
  for await (const { row, where } of readRows(source)) {
    const { sampleId, repeat, variant: rowVariant, answer } = readRecordedRow(row, where)
    if (variant !== undefined && rowVariant !== null && rowVariant !== variant) continue
    const key = keyOf(sampleId, repeat)
    if (answers.has(key))
      throw new UsageError(`Two recorded answers for sample ${sampleId}, repeat ${repeat}`, {
        where,
        hint: "give the option variant when the rows are of several variants",
      })
    answers.set(key, answer)
  }
  return answers
}

async function* readRows(
  source: string | readonly RecordedRow[],
): AsyncIterable<{ readonly row: unknown; readonly where: string }> {
  if (typeof source !== "string") {
    for (const [index, row] of source.entries()) yield { row, where: `rows[${index}]` }
    return
  }
  const stream = createReadStream(source, "utf8")
  let line = 0
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1
      const trimmed = text.replace(/^\uFEFF/, "").trim()
      if (trimmed !== "") yield { row: parseRow(trimmed, `${source}:${line}`), where: `${source}:${line}` }
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError("The recorded answers cannot be read", { where: source, cause })
  }
}

function parseRow(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError("A recorded answer is not JSON", { where, cause })
  }
}

function keyOf(sampleId: string, repeat: number): string {
  return `${repeat}\u0000${sampleId}`
}

/** A row without a repeat answers every repeat that has none of its own. */
function findAnswer(
  answers: ReadonlyMap<string, Answer>,
  { sampleId, repeat = 0, ...options }: RequestOptions,
): Answer {
  const known =
    sampleId === undefined ? undefined : (answers.get(keyOf(sampleId, repeat)) ?? answers.get(keyOf(sampleId, 0)))
  if (known) return known
  const { clock, originMs, scheduledMs } = options
  return bareAnswer({
    outcome: "client_fault",
    log: unsentLog(scheduledMs - originMs, clock.now() - originMs),
    failure: {
      message: `no recorded answer for sample ${sampleId ?? "(without an id)"}, repeat ${repeat}`,
      code: "not_recorded",
    },
  })
}
