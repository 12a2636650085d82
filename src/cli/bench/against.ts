import { benchJson } from "../../../reports/bench/json.ts"
import { EvalkitError, ExitCode, messageOf, UsageError } from "../../core/errors.ts"
import { mostlyLost } from "../../perf/bench/mostly-lost.ts"
import { counted } from "../../words/number.ts"
import type { Args, CommandIo } from "../command.ts"
import type { LoadSide } from "./bench-side.ts"
import { type LoadRuns, printComparison } from "./load-comparison.ts"
import { askedSettings, measureTargets, withBenchProgress } from "./measure-once.ts"
import { positive } from "./option-values.ts"
import { withRemarks } from "./profile.ts"
import { type PlannedTargets, planTargets } from "./targets.ts"

/**
 * `evalkit bench --against`: two endpoints under the same load, `--repeat` runs each, in the order A B B A A B B A …, so that what drifts
 * evenly meets both alike. Ends with the comparison of `--compare … --with …` over the runs that ended: one that was cut off is left out.
 *
 * @returns the exit code
 */
export async function benchAgainst(asked: Args, io: CommandIo): Promise<number> {
  const { args, remarks, settings } = askedSettings(asked, io)
  const repeats = Math.round(positive(args.repeat ?? 5, "--repeat", 1, 1000))
  const before = await planTargets({ ...args, url: args.against }, io, settings)
  // Both sides spend from one budget.
  const now = { ...(await planTargets(args, io, { ...settings, budget: null })), budget: before.budget }
  const runs = new Map<PlannedTargets, LoadSide[]>([before, now].map((side) => [side, []]))
  const order = Array.from({ length: repeats }, (_, i) => (i % 2 === 0 ? [before, now] : [now, before])).flat()
  const reason = await measureInTurn()
  const [a = [], b = []]: readonly LoadRuns[] = [...runs.values()]
  const code = a.length > 0 && b.length > 0 ? printComparison(a, b, asked.json === true, io) : ExitCode.incomplete
  if (reason === null) return code
  io.err(`evalkit: incomplete: ${a.length + b.length} of ${counted(order.length, "run")} ended: ${reason}\n`)
  return io.signal.aborted ? ExitCode.interrupted : ExitCode.incomplete

  /** Why the runs that are left were not made; null where none is. */
  async function measureInTurn(): Promise<string | null> {
    for (const [i, side] of order.entries()) {
      const file = side.targets[0]?.endpoint ?? ""
      io.err(`evalkit: run ${i + 1} of ${order.length}: ${file}\n`)
      const targets = withRemarks(side.targets, remarks)
      try {
        const result = await withBenchProgress(io, (progress) =>
          measureTargets({ ...side, targets }, settings, io, progress),
        )
        if (io.signal.aborted) return interrupted
        if (result.budgetSpent !== null) return result.budgetSpent
        if (mostlyLost(result).length > 0) return `most requests to ${file} were not answered`
        runs.get(side)?.push({ file, recognised: null, rows: benchJson(result), notes: [] })
      } catch (error) {
        if (io.signal.aborted) return interrupted
        if (error instanceof UsageError || !(error instanceof EvalkitError)) throw error
        return messageOf(error)
      }
    }
    return null
  }
}

const interrupted = "it was interrupted"
