import { plainText } from "../../../reports/format/text.ts"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run-record.ts"
import type { RunStore } from "../../core/run-store.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { reportInput } from "../../engine/report/report-input.ts"
import type { Command, CommandIo } from "../command.ts"
import { openProjectStore } from "../project-store.ts"

/** `evalkit show [run] [sample]`: a run's summary again, or everything about one sample. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "id or its beginning; default: the newest" })
      .positional("sample", { type: "string", describe: "id of a sample: its answers and scores" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .example("$0 show", "the newest run")
      .example("$0 show 7f3a arith-012", "what every variant answered to one sample"),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const record = findRun(store, args.run as string | undefined)
      if (args.sample !== undefined) return showSample(store, record, String(args.sample), args.json === true, io)
      const { report } = reportInput(store, record)
      const { color, columns, unicode } = io
      io.out(args.json ? `${JSON.stringify(report)}\n` : renderTerminal(report, { color, columns, unicode }))
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}

async function showSample(
  store: RunStore,
  record: RunRecord,
  id: string,
  json: boolean,
  io: CommandIo,
): Promise<number> {
  const sample = store.sample(record.dataset.fingerprint, id)
  if (!sample) throw new UsageError("the run has no such sample", { where: `run ${record.id}, sample ${id}` })
  const answers = record.variants.flatMap(({ name: variant }) =>
    Array.from({ length: record.repeats }, (_, repeat) => ({ variant, sampleId: id, repeat })).flatMap((key) => {
      const generation = store.generation(record.id, key)
      return generation ? [{ generation, rows: store.answerRows(record.id, key) }] : []
    }),
  )
  if (json) {
    io.out(`${JSON.stringify({ sample, answers })}\n`)
    return ExitCode.ok
  }
  const lines = [`sample ${plainText(id)}`]
  for (const reference of sample.references) lines.push(`  reference   ${plainText(reference, 400)}`)
  for (const { generation, rows } of answers) {
    const scores = rows.map(({ metric, measured, value }) =>
      measured.status === "scored"
        ? `${metric} ${value ?? "scored"}`
        : `${metric} unscored (${plainText(measured.reason)})`,
    )
    lines.push("", `${generation.variant}   ${generation.outcome}`, `  ${plainText(generation.text, 2000)}`)
    if (scores.length > 0) lines.push(`  ${scores.join(" · ")}`)
  }
  io.out(`${lines.join("\n")}\n`)
  return ExitCode.ok
}
