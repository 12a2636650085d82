import { wholeFailure } from "../../../reports/wording/whole-failure.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { CommandIo } from "../command.ts"
import { commandPlacer, type RunPlace } from "./place-command.ts"

/** What to do after a run, as commands that work in the folder and the shell in which it was started. */
export function nextCommands(
  { report, record }: { readonly report: RunReport; readonly record: Pick<RunRecord, "id" | "status"> },
  location: RunPlace,
  io: Pick<CommandIo, "cwd" | "environment">,
): readonly string[] {
  const placed = commandPlacer(location, io)
  const view = placed({ name: "view", words: [record.id] })
  if (record.status !== "finished") {
    const advised = wholeFailure(report)?.advice.find(({ command }) => command?.name === "run")?.command
    return [placed(advised ?? { name: "run", words: ["--resume", record.id] }), view]
  }
  const isAnswered = ({ outcomes }: RunReport["variants"][number]) => (outcomes.ok ?? 0) + (outcomes.length ?? 0) > 0
  const baseline = report.variants.find((variant) => variant.baseline)
  const about = report.decision?.about
  const candidate =
    report.variants.find(({ name }) => name === about) ?? report.variants.find((variant) => !variant.baseline)
  if (!baseline || !candidate || !isAnswered(baseline) || !isAnswered(candidate)) return [view]
  return [view, placed({ name: "compare", words: [baseline.name, candidate.name] })]
}
