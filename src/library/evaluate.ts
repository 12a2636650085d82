import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { reportRenderers } from "../../reports/renderers.ts"
import { reportInput } from "../analyse/summary/report-input.ts"
import type { EvaluationConfig } from "../config/config.ts"
import { validateConfig } from "../config/validate.ts"
import { systemClock } from "../core/clock.ts"
import { EvalkitError, UsageError } from "../core/errors.ts"
import type { Decision } from "../core/report/decision.ts"
import type { Figure } from "../core/report/figure.ts"
import type { RunReport } from "../core/report/report.ts"
import type { WriteChunk } from "../core/report/report-renderer.ts"
import { trackedFigures } from "../core/report/tracked-figures.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunProgress } from "../core/run/progress.ts"
import type { RunRecord, RunStatus } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { transformers } from "../encoders/embedder/transformers.ts"
import { evaluate as evaluateWith } from "../pipeline/evaluate.ts"
import { closing } from "../platform/closing.ts"
import { writeOutput } from "../platform/output-file.ts"
import { runVersions } from "../platform/run-versions.ts"
import { userCacheDirectory } from "../platform/user-cache-directory.ts"
import { calibrate } from "../providers/calibrate.ts"
import { openStore } from "../store/project-store.ts"

/** Options of {@link evaluate}. @public */
export interface EvaluateConfigOptions {
  /** Ends the run where it is; what is answered is kept. */
  readonly signal?: AbortSignal
  /** Called with what is done, twice a second and at the end. */
  readonly onProgress?: (progress: RunProgress) => void
  /** Called with what the run had to leave out or could not check. Default: nothing is said but in the report. */
  readonly onWarning?: (message: string) => void
}

/** A figure of a variant, known or unknown. @public */
export type FigureOfVariant = Figure & {
  readonly variant: string
  /** A metric's name, `availability`, `ttft_ms.p95`, `cost_usd.per_query` … */
  readonly figure: string
}

/** A run, as code reads it. @public */
export interface EvaluationResult {
  /** What `evalkit view ID` shows. */
  readonly id: string
  readonly record: RunRecord
  readonly status: RunStatus
  /** Why it ended without all of its answers; null where it has them. */
  readonly reason: string | null
  readonly report: RunReport
  /** May the swap be made? Null where nothing is compared. */
  readonly decision: Decision | null
  /** The figures that experiment trackers keep, a row a variant and figure. */
  figures(): readonly FigureOfVariant[]
  /**
   * The run in one of the formats of `evalkit report`: `html`, `markdown`, `json`, `csv`, `junit` …; into a file, or as text.
   *
   * @throws UsageError for a format that is not known
   */
  render(format: string, file?: string): Promise<string>
}

/** How long it is before a store that another run writes to is asked again, in milliseconds. */
const retryMs = 100

/** How often progress is reported, in milliseconds. */
const progressMs = 500

/** {@link ./front-door.ts} loads this: what a run needs is much. */
export async function evaluateConfig(
  config: EvaluationConfig,
  options: EvaluateConfigOptions = {},
): Promise<EvaluationResult> {
  const { signal = new AbortController().signal, onProgress, onWarning } = options
  const evaluation = await validateConfig(config)
  const where = { cwd: process.cwd(), environment: process.env }
  const store = await openWhenFree(() => openStore({}, where, { evaluation }), signal)
  const cacheDirectory = userCacheDirectory(process.env)
  const opening = { clock: systemClock, environment: process.env, cacheDirectory, signal }
  let timer: NodeJS.Timeout | undefined
  let report = () => {}
  try {
    const result = await evaluateWith({
      ...opening,
      evaluation,
      store,
      calibrate: (load) => calibrate(load, evaluation.variants, opening),
      defaultEmbedder: transformers({ cacheDirectory }),
      onProgress: (look) => {
        report = () => onProgress?.(look())
        timer = setInterval(report, progressMs)
      },
      ...(onWarning && { onWarning }),
      facts: {
        id: randomBytes(4).toString("hex"),
        startedAt: new Date().toISOString(),
        versions: runVersions(),
        configPath: null,
      },
    })
    report()
    const { record, status, reason, report: summary } = result
    return {
      id: record.id,
      record,
      status,
      reason,
      report: summary,
      decision: summary.decision,
      figures: () =>
        summary.variants.flatMap((variant) =>
          trackedFigures(variant).map(([figure, value]) => ({ ...value, variant: variant.name, figure })),
        ),
      render: (format, file) => render(record.id, format, file, evaluation),
    }
  } finally {
    clearInterval(timer)
    store.close()
  }
}

async function openWhenFree(open: () => RunStore, signal: AbortSignal): Promise<RunStore> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return open()
    } catch (error) {
      if (!(error instanceof EvalkitError) || error.code !== "store_locked") throw error
    }
    await delay(retryMs, undefined, { signal })
  }
}

async function render(id: string, format: string, file: string | undefined, evaluation: Evaluation): Promise<string> {
  const renderers = [...reportRenderers, ...(evaluation.reports ?? [])]
  const renderer = renderers.find(({ name, extension }) => name === format || extension === format)
  if (!renderer)
    throw new UsageError(`there is no format "${format.slice(0, 40)}"`, {
      where: "render(…)",
      hint: `choose from: ${renderers.map(({ name }) => name).join(", ")}`,
    })
  if (renderer.binary && file === undefined)
    throw new UsageError(`${format} is not text`, { where: "render(…)", hint: "name a file: render(format, file)" })
  const where = { cwd: process.cwd(), environment: process.env }
  return closing(openStore({}, where, { evaluation, readonly: true }), async (store) => {
    const record = store.run(id)
    if (!record) throw new UsageError(`the run ${id} is not in the store any more`, { where: "render(…)" })
    const chunks: string[] = []
    const write = (to: WriteChunk) =>
      renderer.render(reportInput(store, record), to, { columns: 100, color: false, unicode: true })
    await (file === undefined ? write((chunk) => void chunks.push(String(chunk))) : writeOutput(resolve(file), write))
    return chunks.join("")
  })
}
