import { relative, resolve } from "node:path"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import { wholeFailure } from "../../../reports/wording/whole-failure.ts"
import { loadConfig } from "../../config/load.ts"
import { retryEvaluation } from "../../config/retry-evaluation.ts"
import { systemClock } from "../../core/clock.ts"
import { ExitCode } from "../../core/errors.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { rescore } from "../../pipeline/rescore.ts"
import { closing } from "../../platform/closing.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { findRun } from "../../store/find-run.ts"
import { findStoreFolder, openStoreToChange } from "../../store/project-store.ts"
import type { CommandIo } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { commandPlacer } from "../run/place-command.ts"
import { withProgress } from "../with-progress.ts"
import { askedWords, countModelCalls, requestsSince } from "./asked-words.ts"
import { scoringThreads } from "./scoring-threads.ts"
import { summaryThreads } from "./summary-threads.ts"

/**
 * Scores a stored run anew with the config's metrics, or with `onlyMissing` what has no score yet. No variant's model is
 * called. Prints the new summary.
 */
export async function scoreStoredRun(
  run: string,
  options: {
    readonly config: string | undefined
    readonly onlyMissing: boolean
    readonly json: boolean
    readonly store: string | undefined
    readonly directory: string | undefined
    /** Threads; null: as many as the work is worth. */
    readonly workers: number | null
  },
  io: CommandIo,
): Promise<number> {
  const { path, evaluation } = await loadConfig(options.config, { ...loadOptions(io), signal: io.signal })
  const where = { store: options.store, directory: options.directory }
  return closing(openStoreToChange(where, io, evaluation), async (store) => {
    const record = findRun(store, run)
    const callsBefore = countModelCalls(store, record.id)
    const { report } = await withProgress(io, (onProgress) =>
      rescore({
        evaluation: retryEvaluation(evaluation, record.retry),
        store,
        record,
        fresh: !options.onlyMissing,
        clock: systemClock,
        environment: io.environment,
        cacheDirectory: userCacheDirectory(io.environment),
        defaultEmbedder: transformers({ cacheDirectory: userCacheDirectory(io.environment) }),
        scoringThreads: scoringThreads(options.workers),
        ...summaryThreads(findStoreFolder(where, io, evaluation), options.workers),
        signal: io.signal,
        onProgress,
      }),
    )
    const { color, columns, unicode } = io
    const { store: named, directory } = options
    const folder = directory === undefined ? evaluation.directory : resolve(io.cwd, directory)
    const kept = { config: path, directory: folder, isDirectoryGiven: directory !== undefined, store: named }
    const place = commandPlacer(kept, io)
    const next = [
      place({ name: "view", words: [record.id] }),
      place({ name: "report", words: [record.id, "-f", "html", "-o", "report.html"] }),
    ]
    const links = { next, place }
    io.out(options.json ? `${JSON.stringify(report)}\n` : renderTerminal(report, { color, columns, unicode }, links))
    const calls = requestsSince(store, record.id, callsBefore)
    io.err(
      `evalkit: run ${record.id} is scored with ${relative(io.cwd, path)}; no variant was asked; ${askedWords(calls)}\n`,
    )
    return wholeFailure(report) === null ? ExitCode.ok : ExitCode.incomplete
  })
}
