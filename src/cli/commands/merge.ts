import { randomBytes } from "node:crypto"
import { loadConfig } from "../../config/load.ts"
import { systemClock } from "../../core/clock.ts"
import { ExitCode } from "../../core/errors.ts"
import { rescore } from "../../pipeline/rescore.ts"
import { closing } from "../../platform/closing.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { findRun } from "../../store/find-run.ts"
import { mergeRuns } from "../../store/merge.ts"
import { openStoreToChange } from "../../store/project-store.ts"
import { counted } from "../../words/number.ts"
import { text, texts } from "../arguments/options.ts"
import type { Command } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit merge RUN RUN …`: joins shards of one plan into a run of its own, with its report. */
export const command: Command = {
  positionals: { runs: texts("ids of runs of one plan", { demandOption: true }) },
  options: {
    config: text("the config that they were made with; default: eval.config.ts"),
    ...storeOptions,
  },
  examples: { "$0 merge 7f3a 91c0": "after: evalkit run --shard 1/2 here and --shard 2/2 there" },

  async run(args, io) {
    const { evaluation } = await loadConfig(args.config as string | undefined, loadOptions(io))
    return closing(openStoreToChange(args, io, evaluation), async (store) => {
      const parts = (args.runs as string[]).map((id) => findRun(store, id))
      const merged = mergeRuns(store, parts, randomBytes(4).toString("hex"), new Date().toISOString())
      const result = await rescore({
        evaluation,
        store,
        record: merged,
        fresh: false,
        clock: systemClock,
        environment: io.environment,
        cacheDirectory: userCacheDirectory(io.environment),
        signal: io.signal,
      })
      const finished = result.report.variants.reduce((sum, variant) => sum + variant.finished, 0)
      io.out(`run ${merged.id}: ${counted(finished, "answer")} of ${counted(parts.length, "run")}, ${merged.status}\n`)
      return merged.status === "finished" ? ExitCode.ok : ExitCode.incomplete
    })
  },
}
