import { textTable } from "../../../reports/terminal/text-table.ts"
import { minPairsForMargin } from "../../analyse/decide/gate-outlook.ts"
import { type DeviationSource, pilotDeviation } from "../../analyse/decide/pilot-deviation.ts"
import { deviationOfFlips, type PowerPlan, planPower, populationOfFlips } from "../../analyse/decide/plan-power.ts"
import { fileSource } from "../../analyse/source/file-source.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { amount, count } from "../../words/number.ts"
import { roundPercent } from "../../words/percent.ts"
import { json, number, text, texts } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { foreignFiles } from "../compare/foreign-files.ts"
import { listOption } from "../list-option.ts"

/** `evalkit plan`: how many samples and dollars a difference of δ needs; `--freeze`: what will decide a run, written down before it. */
export const command: Command = {
  mayBeBare: ["freeze"],

  options: {
    difference: number("difference to find, or margin to hold"),
    sd: number("standard deviation of one sample's paired difference"),
    flips: number("right/wrong answers: share that changes (0.05 = one in twenty)"),
    pilot: texts("two files of a pilot: A,B"),
    on: texts("pilot: field to compare", { nargs: 1 }),
    id: texts("pilot: fields that pair the rows (default id)", { nargs: 1 }),
    alpha: number("error rate", { default: 0.05 }),
    power: number("power: probability of finding the difference", { default: 0.8 }),
    cost: number("dollars for one sample on both sides"),
    freeze: text(
      "write down what will decide the runs of a config, before the first one (default: evalkit.plan.json beside it)",
    ),
    config: text("with --freeze: default: eval.config.ts"),
    limit: number("with --freeze: only the first n samples"),
    json: json(),
  },
  examples: {
    "$0 plan --difference 0.02 --flips 0.05": "before any call was made",
    "$0 plan --difference 0.02 --pilot a.jsonl,b.jsonl --on correct --cost 0.004": "from a pilot",
    "$0 plan --freeze": "then commit evalkit.plan.json, and run",
  },

  async run(args, io) {
    if (args.freeze !== undefined)
      return (await import("../run/freeze-plan.ts")).freezeConfig(String(args.freeze), args, io)
    const difference = positive(args.difference, "difference")
    const source = await deviationFrom(args, difference, io)
    const alpha = positive(args.alpha, "alpha")
    const plan = planPower({
      deviation: source.deviation,
      difference,
      alpha,
      power: positive(args.power, "power"),
      usdPerSample: args.cost === undefined ? null : positive(args.cost, "cost"),
      withinShare: source.withinShare,
      population: source.population,
      minToHold: source.width === null ? null : minPairsForMargin(source.width, difference, alpha),
    })
    const { population: _, advice: metricAdvice, ...basis } = source
    if (args.json)
      io.out(`${JSON.stringify({ ...basis, difference, ...plan, ...(metricAdvice && { metricAdvice }) })}\n`)
    else io.out(planText(plan, source, difference))
    return ExitCode.ok
  },
}

async function deviationFrom(args: Args, difference: number, io: CommandIo): Promise<DeviationSource> {
  const names = ["sd", "flips", "pilot"].filter((name) => args[name] !== undefined)
  if (names.length !== 1)
    throw new UsageError("a plan needs one of --sd, --flips and --pilot", {
      hint: "for answers that are right or wrong, the share that changes sides: --flips 0.1; see: evalkit plan --help",
    })
  if (args.sd !== undefined) {
    const deviation = positive(args.sd, "sd")
    return {
      deviation,
      withinShare: null,
      width: null,
      population: null,
      basis: `a stated standard deviation of ${amount(deviation)}`,
    }
  }
  if (args.flips !== undefined) {
    const flips = positive(args.flips, "flips")
    if (flips > 1 || flips < difference)
      throw new UsageError("--flips is the share of answers that change, between the difference and 1", {
        where: `--flips ${flips} --difference ${difference}`,
        ...(difference > 1 && {
          hint: `a difference of ${amount(difference)} points is --difference ${amount(difference / 100)}`,
        }),
      })
    return {
      deviation: deviationOfFlips(flips, difference),
      withinShare: null,
      width: 1,
      population: populationOfFlips(flips),
      basis: `a stated ${amount(flips * 100)} % of answers that change`,
    }
  }
  return pilot(listOption(args.pilot), args, io)
}

async function pilot(files: readonly string[], args: Args, io: CommandIo): Promise<DeviationSource> {
  const [a, b] = files
  if (a === undefined || b === undefined || files.length > 2)
    throw new UsageError("a pilot is two files", { where: "--pilot", hint: "write --pilot a.jsonl,b.jsonl" })
  const id = listOption(args.id)
  const options = { id: id.length > 0 ? id : ["id"], on: listOption(args.on), lower: [] }
  const source = await fileSource(await foreignFiles([a, b], { columns: [], outputs: false }, io), options)
  return pilotDeviation(source, files)
}

function planText(plan: PowerPlan, source: DeviationSource, difference: number): string {
  const usd = (value: number | null) => (value === null ? "" : `, about ${amount(value)} USD`)
  const curve = plan.curve.map(({ samples, power, hold }) => [count(samples), roundPercent(power), roundPercent(hold)])
  const repeats = plan.repeats.map(({ repeats, samples, calls }) => [count(repeats), count(samples), count(calls)])
  const lines = [
    `${count(plan.samplesToFind)} samples find a gain of ${amount(difference)} in ${roundPercent(plan.powerToFind)} of runs${usd(plan.usdToFind)}.`,
    `${count(plan.samplesToHold)} samples show "not worse by more than ${amount(difference)}" in ${roundPercent(plan.powerToHold)} of runs where there is no difference${usd(plan.usdToHold)}.`,
    ...(plan.minToHold === null
      ? []
      : [
          `Fewer than ${count(plan.minToHold)} samples cannot show that even if no answer changes: a gate on them ends in exit code 4.`,
        ]),
    `Basis: ${source.basis}; ${plan.simulated ? "power of the rule that decides" : "formulas for large numbers and metrics without limits"}.`,
    "",
    textTable(["samples", `finds ${amount(difference)}`, "shows not worse"], curve).trimEnd(),
    "",
    ...(repeats.length > 0 ? [textTable(["repeats", "samples", "calls per side"], repeats).trimEnd(), ""] : []),
    `  ${plan.advice}`,
    ...(source.advice ?? []).map(({ sentence }) => `  ${sentence}`),
  ]
  return `${lines.join("\n")}\n`
}

function positive(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value
  throw new UsageError(`--${name} must be a number above 0`, { where: `--${name} ${String(value)}` })
}
