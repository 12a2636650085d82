import { monthlyLines } from "../../../reports/terminal/monthly.ts"
import { renderSample } from "../../../reports/terminal/sample.ts"
import { monthlyBill } from "../../../reports/wording/cost-model.ts"
import { judgeReasons } from "../../analyse/summary/judge-reasons.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../../core/run/run-store.ts"
import { closing } from "../../platform/closing.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { json, number, text } from "../arguments/options.ts"
import { refuseForBench } from "../bench/refuse-for-bench.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { renderRun } from "../render-run.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit show [run] [sample]`: a run's summary again, or everything about one sample. */
export const command: Command = {
  positionals: {
    run: text("id or its beginning; default: the newest"),
    sample: text("id of a sample: its answers and scores"),
  },
  options: {
    json: json("as JSON"),
    requests: number("what so many requests a month would cost with each variant"),
    ...storeOptions,
  },
  examples: {
    "$0 show": "the newest run",
    "$0 show 7f3a arith-012": "what every variant answered to one sample",
    "$0 show --requests 3000000": "the bill of 3 million requests a month",
  },

  async run(args, io) {
    return closing(openProjectStore(args, io), async (store) => {
      const record = findRun(store, args.run as string | undefined, "all")
      if (record.kind === "bench") refuseForBench(record, args, ["requests", "sample"])
      if (args.requests !== undefined) return showBill(store, record, args, io)
      if (args.sample === undefined) {
        await renderRun(store, record, { format: args.json ? "json" : "terminal", where: args }, io)
        return ExitCode.ok
      }
      const { sample, answers } = answersTo(store, record, String(args.sample))
      const shown = answers.map(({ generation, rows }) => ({ generation, rows }))
      io.out(
        args.json ? `${JSON.stringify({ sample, answers: shown })}\n` : renderSample(sample, answers, record.metrics),
      )
      return ExitCode.ok
    })
  },
}

/** The monthly bill of every variant at a volume. */
function showBill(store: RunStore, record: RunRecord, { requests, sample, json }: Args, io: CommandIo): number {
  if (sample !== undefined)
    throw new UsageError("--requests is about a run, not about one sample", { hint: "leave one of them out" })
  if (!(Number(requests) >= 0 && Number(requests) <= 1e12))
    throw new UsageError("--requests must be a number of requests a month", {
      where: String(requests),
      hint: "write --requests 3000000",
    })
  const { report } = reportInput(store, record, io.signal)
  const bills = report.variants.map((variant) => ({
    variant: variant.name,
    bill: monthlyBill(variant, Number(requests)),
  }))
  io.out(json ? `${JSON.stringify(bills)}\n` : monthlyLines(report, Number(requests), io))
  return ExitCode.ok
}

function* firstOf<Value>(values: Iterable<Value>, max: number): Iterable<Value> {
  let count = 0
  for (const value of values) {
    if (count++ === max) return
    yield value
  }
}

function answersTo(store: RunStore, record: RunRecord, id: string) {
  const sample = store.sample(record.dataset.fingerprint, id)
  if (!sample) {
    const some = [...firstOf(store.sampleIds(record.dataset.fingerprint), 3)]
    throw new UsageError("the run has no such sample", {
      where: `run ${record.id}, sample ${id}`,
      hint: `ids are as ${some.join(", ")}; all with their answers: evalkit view ${record.id}`,
    })
  }
  const answers = record.variants.flatMap(({ name }) => {
    const rows = store.answerRows(record.id, name, [id])
    return store.generationsTo(record.id, name, [id]).map((generation) => {
      const own = rows.filter(({ repeat }) => repeat === generation.repeat)
      return { generation, rows: own, reasons: reasonsOf(own) }
    })
  })
  return { sample, answers }
}

/** What judges said of an answer, metric by metric. */
function reasonsOf(rows: readonly StoredRow[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ metric, measured }) => {
      const said = measured.status === "scored" ? judgeReasons(measured.row, true) : null
      return said === null ? [] : [[metric, said] as const]
    }),
  )
}
