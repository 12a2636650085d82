import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { scoreJson } from "../../../reports/export/score-json.ts"
import { scoreTable, unscoredLines } from "../../../reports/terminal/score-table.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { flag, json, number, text, texts } from "../arguments/options.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { columnPairs, mapOption, outputColumnOption } from "../files/column-options.ts"
import { storeOptions } from "../store/store-options.ts"
import { chosenMetrics } from "./chosen-metrics.ts"
import { type ScoreFileOptions, scoreRowsFile } from "./score-rows-file.ts"
import { scoreStoredRun } from "./score-run.ts"

/** `evalkit score FILE or RUN`: metrics on outputs of another tool, or on a stored run's; no variant's model is called. */
export const command: Command = {
  positionals: {
    file: text("JSONL, JSON, CSV, TSV or Parquet rows, - for standard input; or a run", { demandOption: true }),
  },
  options: {
    "only-missing": flag("a run: compute only the scores that are missing", { default: false }),
    config: text("config with the metrics (default eval.config.ts)"),
    metric: texts(
      "a file: metrics by name, of the config that --config names, else of the catalogue; no config is needed",
      { nargs: 1 },
    ),
    "output-column": outputColumnOption,
    rows: text("write one JSON line per sample to this file"),
    map: mapOption,
    ...storeOptions,
    workers: number("worker threads; 0: none (default: by the amount of work)"),
    json: json("print the figures as JSON"),
  },
  examples: {
    "$0 score outputs.jsonl --config score.config.ts": 'rows like {"id","output","references"}',
    "$0 score trials.jsonl --map id=task_id repeat=trial output=answer": "a file with other names for its columns",
    "$0 score outputs.jsonl --metric bleu --metric rougeL --output-column output_2": "without a config",
    "$0 score 7f3a": "a stored run with the metrics that the config has now",
    "$0 score outputs.csv --json --rows scores.jsonl": "figures to stdout, one line per sample to a file",
  },

  async run(args, io) {
    if (await isRun(String(args.file), io)) {
      const options = {
        config: args.config as string | undefined,
        onlyMissing: args.onlyMissing === true,
        json: args.json === true,
        store: args.store as string | undefined,
        directory: args.directory as string | undefined,
        ...workers(args),
      }
      return scoreStoredRun(String(args.file), options, io)
    }
    const file = String(args.file)
    await refuseUnknownWord(file, io)
    const chosen = await chosenMetrics(args, io)
    const options = { ...files(args, io), columns: columnPairs(args), ...chosen, ...workers(args) }
    const { evaluation } = chosen
    const { figures, total, notes } = await scoreRowsFile(options, io)
    for (const line of [...notes, ...unscoredLines(figures, evaluation.metrics)]) io.err(`evalkit: ${file}: ${line}\n`)
    io.out(
      args.json
        ? `${JSON.stringify(scoreJson(figures, total, notes))}\n`
        : scoreTable(figures, total, evaluation.metrics, evaluation.alpha, screenWidth(io)),
    )
    return ExitCode.ok
  },
}

/** A name that no file has, made of the letters of a run's id. */
async function isRun(name: string, io: CommandIo): Promise<boolean> {
  return /^[0-9a-f]{2,32}$/.test(name) && !(await stat(resolve(io.cwd, name)).catch(() => null))
}

/** A word that is no file and cannot be one for want of an ending was meant as a run. */
async function refuseUnknownWord(name: string, io: CommandIo): Promise<void> {
  if (!/^[\w-]+$/.test(name) || (await stat(resolve(io.cwd, name)).catch(() => null))) return
  throw new UsageError("there is no such run or file", {
    code: "run_not_found",
    where: name,
    hint: "list the runs with: evalkit runs",
  })
}

function files(args: Args, io: CommandIo): Pick<ScoreFileOptions, "file" | "rows"> {
  return { file: String(args.file), rows: args.rows === undefined ? undefined : resolve(io.cwd, String(args.rows)) }
}

function workers(args: Args): Pick<ScoreFileOptions, "workers"> {
  const number = args.workers as number | undefined
  if (number !== undefined && !(Number.isInteger(number) && number >= 0 && number <= 256))
    throw new UsageError("--workers must be a whole number from 0 to 256", { where: `--workers ${number}` })
  return { workers: number ?? null }
}
