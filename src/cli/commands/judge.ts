import { readRows } from "../../../datasets/read-rows.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { judgeNames } from "../../engine/report/judge-card/judged-answer.ts"
import { positionFigures } from "../../engine/report/judge-card/position.ts"
import { storedVerdicts, validationItems } from "../../engine/report/judge-card/stored-verdicts.ts"
import { validateJudge } from "../../engine/report/judge-card/validation.ts"
import {
  type InvalidRule,
  type OrderRule,
  readValidationRows,
  type VerdictRules,
} from "../../engine/report/judge-card/validation-rows.ts"
import type { Command, CommandIo } from "../command.ts"
import { validationJson } from "../judge/validation-json.ts"
import { type Validated, validationText } from "../judge/validation-text.ts"
import { openProjectStore } from "../project-store.ts"

/** `evalkit judge validate [file]`: verdicts against human labels. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("action", {
        choices: ["validate"] as const,
        demandOption: true,
        describe: "compare judges with human labels",
      })
      .positional("file", { type: "string", describe: "JSONL, JSON, CSV, TSV or Parquet rows {id, judge, human}" })
      .option("run", { type: "string", describe: "instead of a file: a run with labels from evalkit label" })
      .option("metric", { type: "string", describe: "judge metric of the run (default: its first)" })
      .option("id", { type: "string", default: "id", describe: "column of the ids; several with commas between" })
      .option("judge", { type: "string", default: "judge", describe: "column of the verdicts" })
      .option("human", { type: "string", default: "human", describe: "column of the labels" })
      .option("order", { type: "string", default: "order", describe: "column ab/ba of comparisons" })
      .option("orders", {
        choices: ["strict", "majority", "tie"] as const,
        describe:
          "two orders that differ: no verdict (strict), the answer with more credit (majority), a tie (default)",
      })
      .option("invalid", {
        choices: ["wrong", "drop"] as const,
        describe: "a row without a verdict: disagrees with its label (wrong), is left out (drop, default)",
      })
      .option("group", {
        type: "string",
        describe: "column of documents or systems: figures for each, within and between; with --run: variant or sample",
      })
      .option("drawn", {
        type: "string",
        describe:
          "how labels were drawn: chance, doubt (chosen, so that they correct no mean), or a column of these words",
      })
      .option("probability", {
        type: "string",
        describe: "column: probability with which each row, labelled or not, was to be labelled",
      })
      .option("alpha", { type: "number", describe: "1 − the level of the intervals (default: the run's, or 0.05)" })
      .option("seed", { type: "number", default: 42, describe: "seed of the bootstrap" })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .example("$0 judge validate labels.jsonl", 'rows like {"id": "q1", "judge": 1, "human": null}')
      .example("$0 judge validate pairs.jsonl --orders majority --invalid wrong --group source", "JudgeBench's table")
      .example("$0 judge validate --run 7f3a", "the newest labels of a run, for each of its judges"),

  async run(args, io) {
    const seed = Number(args.seed)
    if ((args.file === undefined) === (args.run === undefined))
      throw new UsageError("name a file or a run", { hint: "evalkit judge validate labels.jsonl" })
    return args.run === undefined ? validateFile(args, io, seed) : validateRun(args, io, seed)
  },
}

async function validateFile(args: Readonly<Record<string, unknown>>, io: CommandIo, seed: number): Promise<number> {
  const file = String(args.file)
  const drawn = args.drawn as string | undefined
  const rows = readRows(file, { baseDirectory: io.cwd, inferTypes: true })
  const { items, comparisons } = await readValidationRows(
    rows,
    {
      id: String(args.id),
      judge: String(args.judge),
      human: String(args.human),
      order: String(args.order),
      group: args.group as string | undefined,
      drawn: drawn === "chance" || drawn === "doubt" ? undefined : drawn,
      probability: args.probability as string | undefined,
    },
    rulesOf(args),
  )
  if (items.length === 0)
    throw new UsageError("the file has no rows", { where: file, hint: 'write rows like {"id", "judge", "human"}' })
  const alpha = alphaOf(args) ?? 0.05
  const position = comparisons && positionFigures([...comparisons.values()], [...comparisons.keys()], alpha)
  const known = drawn === "doubt" ? items.map((item) => ({ ...item, drawnByChance: false })) : items
  const validation = validateJudge(known, seed, { alpha, ...(drawn === "chance" && { drawn }) })
  print({ validation, position, alpha }, args.json === true, io)
  return ExitCode.ok
}

function rulesOf(args: Readonly<Record<string, unknown>>): VerdictRules {
  const { orders, invalid } = args as { orders?: OrderRule; invalid?: InvalidRule }
  return { ...(orders ? { orders } : {}), ...(invalid ? { invalid } : {}) }
}

function runOptions(args: Readonly<Record<string, unknown>>) {
  const { invalid, orders } = rulesOf(args)
  const { group } = args
  if (args.drawn !== undefined || args.probability !== undefined)
    throw new UsageError("a run knows how its labels were drawn", {
      where: args.drawn === undefined ? "--probability" : "--drawn",
      hint: "leave it out: evalkit label has noted it",
    })
  if (orders !== undefined)
    throw new UsageError("a run has joined its orders already", {
      where: "--orders",
      hint: "leave --orders out, or validate a file of comparisons",
    })
  if (group !== undefined && group !== "variant" && group !== "sample")
    throw new UsageError("a run is grouped by variant or by sample", {
      where: "--group",
      hint: "--group variant",
    })
  return { invalid, group } as const
}

/** The metric as a whole, then each of its judges: what `panel(..., { trust })` wants. */
function validateRun(args: Readonly<Record<string, unknown>>, io: CommandIo, seed: number): number {
  const options = runOptions(args)
  const store = openProjectStore(args, io)
  try {
    const record = findRun(store, String(args.run))
    const alpha = alphaOf(args) ?? record.alpha
    const { metric, answers } = storedVerdicts(store, record, args.metric as string | undefined)
    const whole = validateJudge(validationItems(answers, options), seed, { alpha })
    const judges = judgeNames(answers).map((judge) => ({
      judge,
      ...validateJudge(validationItems(answers, { ...options, judge }), seed, { alpha }),
    }))
    if (args.json) {
      const byJudge = Object.fromEntries(
        judges.map(({ judge, ...one }) => [judge, validationJson({ validation: one, position: null, alpha })]),
      )
      io.out(
        `${JSON.stringify({ run: record.id, metric, ...validationJson({ validation: whole, position: null, alpha }), judges: byJudge })}\n`,
      )
      return ExitCode.ok
    }
    io.out(`${metric} of run ${record.id}\n\n${validationText({ validation: whole, position: null, alpha })}`)
    for (const one of judges.length > 1 ? judges : [])
      io.out(`\njudge ${one.judge}\n\n${validationText({ validation: one, position: null, alpha })}`)
    return ExitCode.ok
  } finally {
    store.close()
  }
}

function print(validated: Validated, json: boolean, io: CommandIo): void {
  io.out(json ? `${JSON.stringify(validationJson(validated))}\n` : validationText(validated))
}

function alphaOf({ alpha }: Readonly<Record<string, unknown>>): number | undefined {
  if (alpha === undefined) return undefined
  if (typeof alpha === "number" && alpha >= 0.0001 && alpha <= 0.5) return alpha
  throw new UsageError("--alpha must be a number between 0.0001 and 0.5", { where: `--alpha ${String(alpha)}` })
}
