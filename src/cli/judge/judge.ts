import { readRows } from "../../../datasets/read-rows.ts"
import { unscoredLines } from "../../../reports/terminal/score-table.ts"
import { boundsOf, judgeNames } from "../../analyse/judge-validation/judged-answer.ts"
import { agreementAmongPeople } from "../../analyse/judge-validation/people.ts"
import { positionFigures } from "../../analyse/judge-validation/position.ts"
import { labelledItems, storedVerdicts, validationItems } from "../../analyse/judge-validation/stored-verdicts.ts"
import { validateJudge } from "../../analyse/judge-validation/validation.ts"
import {
  type InvalidRule,
  type OrderRule,
  readValidationRows,
  type VerdictRules,
} from "../../analyse/judge-validation/validation-rows.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { ForeignFigure } from "../../pipeline/score-file/score-file.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { json, number, numberOption, oneOf, text } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { mapOption, outputColumnOption } from "../files/column-options.ts"
import { storeOptions } from "../store/store-options.ts"
import { judgedRows } from "./judged-rows.ts"
import { validationJson } from "./validation-json.ts"
import { type Validated, validationText } from "./validation-text.ts"

/** `evalkit judge validate [file]`: verdicts against human labels. */
export const command: Command = {
  positionals: {
    action: oneOf(["validate"], "compare judges with human labels", { demandOption: true }),
    file: text("JSONL, JSON, CSV, TSV or Parquet rows {id, judge, human}"),
  },
  options: {
    run: text("instead of a file: a run with labels from evalkit label"),
    metric: text(
      "judge metric of the run (default: its first); with a file: ask this metric of the config for the verdicts",
    ),
    config: text("with a file and --metric: config with the metric (default eval.config.ts)"),
    "output-column": outputColumnOption,
    map: mapOption,
    id: text("column of the ids; several with commas between", { default: "id" }),
    judge: text("column of the verdicts", { default: "judge" }),
    human: text("column of the labels; several with commas between: a person each", { default: "human" }),
    labeller: text("column that says who labelled: an id then has a row for each person (default: labeller)"),
    policy: text("column of the instructions that labels were given by; with --run: only the labels of this policy"),
    adjudicator: text("the person whose labels have the last word"),
    order: text("column ab/ba of comparisons", { default: "order" }),
    orders: oneOf(
      ["strict", "majority", "tie"] as const,
      "two orders that differ: no verdict (strict), the answer with more credit (majority), a tie (default)",
    ),
    invalid: oneOf(
      ["wrong", "drop"] as const,
      "a row without a verdict: disagrees with its label (wrong), is left out (drop, default)",
    ),
    group: text("column of documents or systems: figures for each, within and between; with --run: variant or sample"),
    drawn: text(
      "how labels were drawn: chance, doubt (chosen, so that they correct no mean), or a column of these words",
    ),
    probability: text("column: probability with which each row, labelled or not, was to be labelled"),
    alpha: number("1 − the level of the intervals (default: the run's, or 0.05)"),
    seed: number("seed of the bootstrap", { default: 42 }),
    ...storeOptions,
    json: json("as JSON"),
  },
  examples: {
    "$0 judge validate labels.jsonl": 'rows like {"id": "q1", "judge": 1, "human": null}',
    "$0 judge validate pairs.jsonl --orders majority --invalid wrong --group source": "JudgeBench's table",
    "$0 judge validate labels.csv --human ann,ben,eva": "three people: their agreement, the judge against each",
    "$0 judge validate labels.csv --config eval.config.ts --metric correct":
      'the judge is asked: rows like {"id","input","output","human"}',
    "$0 judge validate --run 7f3a": "the newest labels of a run, for each of its judges",
  },

  async run(args, io) {
    const seed = Number(args.seed)
    if ((args.file === undefined) === (args.run === undefined))
      throw new UsageError("name a file or a run", { hint: "evalkit judge validate labels.jsonl" })
    return args.run === undefined ? validateFile(args, io, seed) : validateRun(args, io, seed)
  },
}

async function validateFile(args: Args, io: CommandIo, seed: number): Promise<number> {
  const file = String(args.file)
  const drawn = args.drawn as string | undefined
  const read = readRows(file, { baseDirectory: io.cwd, inferTypes: true })
  const [id, judge] = [String(args.id), String(args.judge)]
  if (args.metric === undefined && args.config !== undefined)
    throw new UsageError("the config has several metrics", { where: "--config", hint: "name the judge: --metric NAME" })
  const judged =
    args.metric === undefined ? { rows: read, figures: [] } : await judgedRows(read, { id, judge }, args, io)
  const { items, comparisons, labelled } = await readValidationRows(
    judged.rows,
    {
      id,
      judge,
      human: String(args.human),
      labeller: args.labeller as string | undefined,
      policy: args.policy as string | undefined,
      adjudicator: args.adjudicator as string | undefined,
      order: String(args.order),
      group: args.group as string | undefined,
      drawn: drawn === "chance" || drawn === "doubt" ? undefined : drawn,
      probability: args.probability as string | undefined,
    },
    rulesOf(args),
  )
  if (items.length === 0)
    throw new UsageError("the file has no rows", { where: file, hint: 'write rows like {"id", "judge", "human"}' })
  const alpha = numberOption(args, "alpha", 0.0001, 0.5) ?? 0.05
  const position = comparisons && positionFigures([...comparisons.values()], [...comparisons.keys()], alpha)
  const asked = drawn === "doubt" ? items.map((item) => ({ ...item, drawnByChance: false })) : items
  const validation = validateJudge(asked, seed, {
    ...("range" in judged && { range: judged.range }),
    alpha,
    ...(drawn === "chance" && { drawn }),
  })
  print(
    { validation, position, alpha, people: agreementAmongPeople(labelled, { seed, alpha }) },
    args.json === true,
    io,
    judged.figures,
  )
  return ExitCode.ok
}

function rulesOf(args: Args): VerdictRules {
  const { orders, invalid } = args as { orders?: OrderRule; invalid?: InvalidRule }
  return { ...(orders ? { orders } : {}), ...(invalid ? { invalid } : {}) }
}

function runOptions(args: Args) {
  const { invalid, orders } = rulesOf(args)
  const { group } = args
  const own = args.labeller === undefined ? (args.adjudicator === undefined ? null : "--adjudicator") : "--labeller"
  if (own !== null)
    throw new UsageError("--labels is for files; a run stores its labels", {
      where: own,
      hint: "leave it out: evalkit label has noted it",
    })
  if (args.drawn !== undefined || args.probability !== undefined)
    throw new UsageError("a run stores how its labels were drawn", {
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
function validateRun(args: Args, io: CommandIo, seed: number): number {
  const options = runOptions(args)
  const store = openProjectStore(args, io)
  try {
    const record = findRun(store, String(args.run))
    const alpha = numberOption(args, "alpha", 0.0001, 0.5) ?? record.alpha
    const metricName = args.metric as string | undefined
    const { metric, answers } = storedVerdicts(store, record, metricName, args.policy as string | undefined)
    const range = boundsOf(record.metrics.find(({ name }) => name === metric)?.range ?? [null, null])
    const whole = validateJudge(validationItems(answers, options), seed, { alpha, range })
    const people = agreementAmongPeople(labelledItems(answers), { seed, alpha })
    const judges = judgeNames(answers).map((judge) => ({
      judge,
      validated: {
        validation: validateJudge(validationItems(answers, { ...options, judge }), seed, { alpha, range }),
        people: agreementAmongPeople(labelledItems(answers, judge), { seed, alpha }),
        position: null,
        alpha,
      },
    }))
    if (args.json) {
      const byJudge = Object.fromEntries(judges.map(({ judge, validated }) => [judge, validationJson(validated)]))
      io.out(
        `${JSON.stringify({ run: record.id, metric, ...validationJson({ validation: whole, position: null, alpha, people }), judges: byJudge })}\n`,
      )
      return ExitCode.ok
    }
    io.out(
      `${metric} of run ${record.id}\n\n${validationText({ validation: whole, position: null, alpha, people }, io)}`,
    )
    for (const { judge, validated } of judges.length > 1 ? judges : [])
      io.out(`\njudge ${judge}\n\n${validationText({ ...validated, people: againstOnly(validated.people) }, io)}`)
    return ExitCode.ok
  } finally {
    store.close()
  }
}

/** @param figures of the metric that was asked for verdicts: which rows it could not score, and why */
function print(validated: Validated, json: boolean, io: CommandIo, figures: readonly ForeignFigure[]): void {
  const unscored = Object.fromEntries(figures.flatMap((figure) => [...figure.unscored]))
  const reasons = unscoredLines(figures, [])
  io.out(
    json
      ? `${JSON.stringify({ ...validationJson(validated), ...(figures.length > 0 && { unscored }) })}\n`
      : `${[validationText(validated, io), ...reasons].join("\n")}${reasons.length > 0 ? "\n" : ""}`,
  )
}

/** People's agreement with each other is said once; each judge has its own against them. */
function againstOnly(people: Validated["people"]): Validated["people"] {
  return people === null ? null : { ...people, policies: [], disputes: [], several: 0 }
}
