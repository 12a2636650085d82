import { decideSource } from "../../analyse/decide/decide-source.ts"
import type { CompareSource } from "../../analyse/source/file-source.ts"
import type { PairBy } from "../../analyse/source/pair-by-content.ts"
import { refuseWideMargin } from "../../config/overrides.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { Comparison, MissingRule } from "../../core/report/comparison.ts"
import { closing } from "../../platform/closing.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, number, numberOption, oneOf, text, texts } from "../arguments/options.ts"
import { canaryOf, canaryShares } from "../canary.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { columnPairs, mapOption, outputColumnOption } from "../files/column-options.ts"
import { isFile } from "../files/named-file.ts"
import { listOption } from "../list-option.ts"
import { showCommand } from "../run/stored-commands.ts"
import { configOption } from "../run-config.ts"
import { withSpinner } from "../spinner.ts"
import { storeOptions } from "../store/store-options.ts"
import { comparisonJson } from "./comparison-json.ts"
import { comparisonText } from "./comparison-text.ts"

/** `evalkit compare A B`: the paired verdict of two variants, two runs or two files. */
export const command: Command = {
  positionals: {
    a: text("baseline: a variant, RUN:VARIANT, a run, a bench, a file, or - for rows from standard input", {
      demandOption: true,
    }),
    b: text("candidate; differences are B − A", { demandOption: true }),
  },
  options: {
    on: texts("files: fields to compare (numbers, 0/1, true/false); metrics.bleu is inside metrics"),
    metric: texts(
      "files: score their outputs by these metrics of the catalogue, or of --config; FILE:COLUMN names the outputs",
      { nargs: 1 },
    ),
    "output-column": outputColumnOption,
    map: mapOption,
    id: texts("files: fields that pair the rows (default id)", { nargs: 1 }),
    lower: texts("files: fields where lower is better"),
    primary: texts("metrics that decide"),
    margin: number(
      "largest loss that counts as not worse, in the metric's own unit (default: the run's; files: 1 % of the scale)",
    ),
    alpha: number("significance level (default 0.05)"),
    missing: oneOf(
      ["worst", "drop"] as const,
      "what a failed or missing answer counts as: the worst value (default), or nothing",
    ),
    "pair-by": oneOf(
      ["content", "id"] as const,
      "pair equal ids only where question and reference agree, or by id alone",
      { default: "content" },
    ),
    "difficulty-from": texts("earlier runs that asked more of the same items: what they know narrows the difference"),
    "smallest-gain": number("smallest saving that is worth a swap (default 0.05: 5 %)"),
    canary: text("what B at a share of the traffic would do, and how long a canary must run: 1%,5%,10%,25%"),
    "requests-per-day": number("traffic: says --canary in days, too"),
    same: flag("test instead whether both give the same answers to the same prompts, as one model would", {
      conflicts: [
        "on",
        "metric",
        "lower",
        "primary",
        "margin",
        "missing",
        "difficulty-from",
        "smallest-gain",
        "canary",
      ],
    }),
    seed: number("seed of the resampling"),
    run: text("run that A and B are variants of (default: the newest)"),
    config: configOption,
    ...storeOptions,
    json: json("print the comparison as JSON"),
  },
  examples: {
    "$0 compare m-f16 m-q8_0": "two variants of the newest run",
    "$0 compare 7f3a:m-f16 9b21:m-f16": "one variant in two runs",
    "$0 compare 7f3a:m-f16 7f3a:m-q8_0 --difficulty-from 9b21": "with what an earlier, larger run knows of the items",
    "$0 compare prod candidate --canary 1%,5% --requests-per-day 20000":
      "quality, time and cost of a canary, and how many days it needs",
    "$0 compare host-a host-b --same": "do two hosts serve the same weights? best with several answers a prompt",
    "$0 compare before/profile_export.jsonl after/profile_export.jsonl": "two load tests of AIPerf",
    "$0 compare a.jsonl b.csv --on correct": "outputs of other tools, paired by id",
    "$0 compare a.jsonl b.jsonl --metric bleu": "score both, test corpus BLEU by paired resampling",
    "$0 compare a.scores.jsonl b.scores.jsonl --on metrics.bleu": "what score --rows wrote",
  },
  epilogue:
    "exit codes: 0 B is not worse than A · 3 B is worse, or breaks a limit · 4 inconclusive or not comparable; with --same: 0 not told apart · 3 told apart · 4 could not be tested",

  async run(args, io) {
    const names = [String(args.a), String(args.b)] as const
    if (args.same) {
      const alpha = numberOption(args, "alpha", 0.0001, 0.5) ?? 0.05
      const seed = numberOption(args, "seed", 0, Number.MAX_SAFE_INTEGER) ?? 42
      return (await import("./same.ts")).printSame(names, { args, alpha, seed }, io)
    }
    if (names.every((name) => isFile(name, io) || isRunIdStart(name))) {
      const code = await (await import("../bench/load-comparison.ts")).printLoads(names, args, io)
      if (code !== null) return code
    }
    const waiting = `comparing ${plainText(names[0], 40)} with ${plainText(names[1], 40)}`
    const source = await withSpinner(io, waiting, (own) => loadSource(names, args, own))
    const primary = listOption(args.primary)
    const unknownName = primary.find((name) => !source.metrics.some((metric) => metric.name === name))
    if (unknownName !== undefined)
      throw new UsageError(`there is no metric "${unknownName}" to decide by`, {
        where: "--primary",
        hint: `choose from: ${source.metrics.map(({ name }) => name).join(", ")}`,
      })
    const margin = numberOption(args, "margin", 0, Number.POSITIVE_INFINITY)
    const smallestGain = numberOption(args, "smallestGain", 0, 1) ?? source.smallestGain
    const asked = {
      ...source,
      primary: primary.length > 0 ? primary : source.primary,
      margin: margin ?? source.margin,
      marginKind: margin === undefined ? source.marginKind : ("unit" as const),
      missing: (args.missing as MissingRule | undefined) ?? source.missing ?? "worst",
      alpha: numberOption(args, "alpha", 0.0001, 0.5) ?? source.alpha,
    }
    if (margin !== undefined) refuseWideMargin(asked)
    const shares = canaryShares(args.canary)
    const perDay = numberOption(args, "requestsPerDay", 1, 1e12) ?? null
    const canary = shares && canaryOf(asked, shares, perDay, io)
    const seed = numberOption(args, "seed", 0, Number.MAX_SAFE_INTEGER) ?? source.seed
    const comparison = await withSpinner(io, waiting, () =>
      decideSource({ ...asked, ...(smallestGain === undefined ? {} : { smallestGain }), seed }),
    )
    const json = comparisonJson(comparison, source.notes, source.recognised)
    if (args.json) io.out(`${JSON.stringify(canary ? { ...json, canary: canary.json } : json)}\n`)
    else {
      const [broken] = comparison.flips?.lost ?? []
      const isRead = source.run !== undefined && broken !== undefined
      const next = isRead ? `\n  next   ${showCommand(source.run, broken, args, io)}\n` : ""
      io.out(comparisonText(comparison, source.metrics, source.notes, io) + (canary?.text ?? "") + next)
    }
    return exitCodeOf(comparison)
  },
}

/** Whether a name is the beginning of an id as evalkit makes them, and so perhaps a bench of the store. */
function isRunIdStart(name: string): boolean {
  return /^[0-9a-f]{4,8}$/.test(name)
}

/** 0 where quality would do and no limit is broken, whether or not anything is gained: what a build waits for. */
function exitCodeOf({ verdict, basis }: Comparison): number {
  if (verdict === "swap") return ExitCode.ok
  if (verdict !== "keep") return ExitCode.inconclusive
  return basis === "worse" || basis === "limit_broken" ? ExitCode.gateFailed : ExitCode.ok
}

async function loadSource(names: readonly [string, string], args: Args, io: CommandIo): Promise<CompareSource> {
  const pairBy = args.pairBy as PairBy | undefined
  const files = names.filter((name) => isFile(name, io))
  if (files.length > 0 && args.difficultyFrom !== undefined)
    throw new UsageError("only runs of the store can be compared with the help of earlier runs", {
      where: "--difficulty-from",
      hint: "import the files first: evalkit import",
    })
  if (files.length === 2) {
    const id = listOption(args.id)
    const columns = columnPairs(args)
    if (args.metric !== undefined) {
      const { scoredFiles } = await import("../score/scored-files.ts")
      return scoredFiles(names, args, { columns, id: id.length > 0 ? id : null, pairBy }, io)
    }
    const options = { id: id.length > 0 ? id : ["id"], on: listOption(args.on), lower: listOption(args.lower), pairBy }
    const [{ fileSource }, { foreignFiles }] = await Promise.all([
      import("../../analyse/source/file-source.ts"),
      import("./foreign-files.ts"),
    ])
    return fileSource(await foreignFiles(names, { columns, outputs: false }, io), options)
  }
  if (files.length === 0)
    for (const option of ["metric", "outputColumn", "map"])
      if (args[option] !== undefined)
        throw new UsageError("only outputs in files are scored here", {
          where: `--${option === "outputColumn" ? "output-column" : option}`,
          hint: "a run has its scores: evalkit score RUN adds those of a config",
        })
  if (files.length === 1)
    throw new UsageError("a file can only be compared with a file", {
      where: names.find((name) => !isFile(name, io)) ?? names[1],
    })
  const [{ openProjectStore }, { storedSource }, { recreateMetric }, { configOf }] = await Promise.all([
    import("../../store/project-store.ts"),
    import("../../analyse/source/stored-source.ts"),
    import("../../../metrics/recreate.ts"),
    import("../run-config.ts"),
  ])
  return closing(openProjectStore(args, io), async (store) => {
    return await storedSource({
      names,
      store,
      wantedRun: args.run as string | undefined,
      primary: listOption(args.primary),
      ...(pairBy && { pairBy }),
      ...(args.difficultyFrom !== undefined && { difficultyFrom: listOption(args.difficultyFrom) }),
      isConfigNamed: args.config !== undefined,
      async loadMetrics(run) {
        const { config, cause } = await configOf(run, args.config as string | undefined, io)
        return { metrics: config?.metrics ?? [], cause }
      },
      recreate: recreateMetric,
    })
  })
}
