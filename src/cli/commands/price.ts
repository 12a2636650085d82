import { relative } from "node:path"
import { loadConfig } from "../../config/load.ts"
import { retryEvaluation } from "../../config/retry-evaluation.ts"
import { ExitCode } from "../../core/errors.ts"
import { sameVariants } from "../../pipeline/rescore.ts"
import { saveReport } from "../../pipeline/save-report.ts"
import { closing } from "../../platform/closing.ts"
import { type RepricedVariant, repriceRun } from "../../run/reprice-run.ts"
import { findRun } from "../../store/find-run.ts"
import { openStoreToChange } from "../../store/project-store.ts"
import { loadO200k } from "../../text/o200k.ts"
import { counted } from "../../words/number.ts"
import { usd } from "../../words/quantity.ts"
import { plainText } from "../../words/text.ts"
import { json, text } from "../arguments/options.ts"
import { screenTable } from "../arguments/screen-table.ts"
import type { Command, CommandIo } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit price RUN`: the costs of a stored run by the prices that its config states now. */
export const command: Command = {
  positionals: { run: text("run id or its beginning; the newest without it") },
  options: {
    config: text("the config that states the prices"),
    json: json("one JSON array"),
    ...storeOptions,
  },
  examples: {
    "$0 price 7f3a": "after a price was added to the config",
    "$0 price 7f3a --config later.config.ts": "what the same answers cost by other prices",
  },

  async run(args, io) {
    const named = typeof args.config === "string" ? args.config : undefined
    const { path, evaluation } = await loadConfig(named, { ...loadOptions(io), signal: io.signal })
    return closing(
      openStoreToChange({ store: args.store, directory: args.directory }, io, evaluation),
      async (store) => {
        const record = findRun(store, args.run === undefined ? undefined : String(args.run))
        const asked = retryEvaluation(evaluation, record.retry)
        const variants = sameVariants(asked, record)
        const repriced = store.atomically(() => repriceRun(store, record, variants))
        await saveReport(store, record, { ...asked, variants }, await loadO200k(), io.signal)
        io.out(args.json ? `${JSON.stringify(repriced)}\n` : repricedText(repriced, io))
        io.err(`evalkit: run ${record.id} has the prices of ${relative(io.cwd, path)}; no model was asked\n`)
        return ExitCode.ok
      },
    )
  },
}

function repricedText(repriced: readonly RepricedVariant[], io: CommandIo): string {
  const rows = repriced.map(({ variant, answers, changed, beforeUsd, afterUsd, unknown }) => [
    variant,
    String(answers),
    String(changed),
    usd(beforeUsd),
    unknown === answers ? "unknown" : usd(afterUsd),
  ])
  const reasons = repriced.flatMap(({ variant, unknown, reason }) =>
    reason === null
      ? []
      : [`${variant}: ${counted(unknown, "answer")} without a known cost: ${plainText(reason, 300)}\n`],
  )
  return `${screenTable(["variant", "answers", "other cost", "cost before", "cost now"], rows, io)}\n${reasons.join("")}`
}
