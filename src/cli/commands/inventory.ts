import { ExitCode, UsageError } from "../../core/errors.ts"
import { type Figure, figureValue } from "../../core/report/figure.ts"
import { type Inventory, inventoryOf, type ModelUse, type Percentiles } from "../../interop/inventory.ts"
import { refuseNearMiss } from "../../interop/near-miss.ts"
import { trafficTools } from "../../interop/sample-log.ts"
import { promptsNote, unreadNote } from "../../wording/inventory.ts"
import { dayWords } from "../../words/day.ts"
import { valueCell } from "../../words/figure.ts"
import { camelTo } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"
import { roundPercent } from "../../words/percent.ts"
import { quantity, quantityPair, type Unit } from "../../words/quantity.ts"
import { plainText } from "../../words/text.ts"
import { json, texts } from "../arguments/options.ts"
import { type Screen, screenTable } from "../arguments/screen-table.ts"
import type { Command } from "../command.ts"
import { localFile, withinFolder } from "../files/local-files.ts"
import { openLocalLog } from "../files/taken-log.ts"

/** `evalkit inventory LOG…`: models and prompts that production uses, what they cost and how fast they are. */
export const command: Command = {
  positionals: {
    logs: texts(
      "logs of LiteLLM, Langfuse, LangSmith, Phoenix, Helicone, OpenRouter, OpenAI, traces (OTLP), access logs with bodies, or folders of them; - for standard input",
      {
        demandOption: true,
      },
    ),
  },
  options: { json: json() },
  examples: {
    "$0 inventory calls.jsonl": "models, calls a day, cost a month, prompts that make up 80 % of the cost",
    "$0 inventory logs/ --json": "the same of all logs in a folder, as JSON",
  },

  async run(args, io) {
    const sources = await Promise.all((args.logs as readonly unknown[]).map((log) => localFile(String(log), io)))
    const files = (await Promise.all(sources.map((file) => withinFolder(file)))).flat()
    const logs = await Promise.all(
      files.map(async (file) => {
        const where = file.source
        const log = await openLocalLog(file)
        if (log && trafficTools.has(log.tool)) return log
        if (!log) await refuseNearMiss(file.path, where)
        const what = log ? `a log of ${log.tool} is no record of production` : "the file is no log that evalkit knows"
        throw new UsageError(what, { where, hint: "docs/logs.md names the logs of production that are read" })
      }),
    )
    const inventory = await inventoryOf(logs)
    if (inventory.calls === 0)
      throw new UsageError("no call of a model could be read", {
        where: inventory.skipped[0]?.where ?? files.map((file) => file.source).join(", "),
        ...(inventory.skipped[0] && { hint: inventory.skipped[0].reason }),
      })
    io.out(args.json ? `${JSON.stringify(inSnakeCase(inventory))}\n` : inventoryText(inventory, io))
    return ExitCode.ok
  },
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [camelTo("_", name), inSnakeCase(member)]))
}

function inventoryText(inventory: Inventory, screen: Screen): string {
  const { calls, from, to, models, prompts, allPrompts, unasked, skipped, skippedCount } = inventory
  const time = from === null || to === null ? "" : `, ${dayWords(from)} to ${dayWords(to)}`
  const notes = models.flatMap((use) => [...retirement(use), ...remarks(use)])
  const total = models.reduce((sum, { costUsd }) => sum + (figureValue(costUsd) ?? 0), 0)
  const isByCost = total > 0
  // A sum in another order differs in its last digits: all is all.
  const shares = prompts.map(({ costUsd, calls: own }) => Number((isByCost ? costUsd / total : own / calls).toFixed(9)))
  const rows = prompts
    .slice(0, shownPrompts)
    .map((prompt, i) => [
      plainText(prompt.text.replace(/\s+/g, " "), 60),
      count(prompt.calls),
      isByCost ? quantity(prompt.costUsd, "usd") : "unknown",
      roundPercent(shares[i] as number),
      plainText(prompt.models.join(", "), 40),
    ])
  const share = Number(shares.reduce((sum, part) => sum + part, 0).toFixed(9))
  const left = skipped.map(({ where, reason }) => `  left out: ${where}: ${plainText(reason, 300)}\n`)
  return [
    `${counted(calls, "call")} of ${counted(models.length, "model")}${time}\n\n`,
    screenTable(modelHeader, models.map(modelRow), screen, [0, 1, modelHeader.length - 1]),
    ...notes.map((note) => `  ${note}\n`),
    ...(rows.length === 0 ? [] : [`\n${promptsNote(prompts.length, allPrompts, share, isByCost)}\n\n`]),
    ...(rows.length === 0 ? [] : [screenTable(["prompt", "calls", "cost", "share", "models"], rows, screen, [0, 4])]),
    ...(prompts.length > shownPrompts ? [`  … ${count(prompts.length - shownPrompts)} more with --json\n`] : []),
    ...(unasked + skippedCount > 0 ? [`\n${unreadNote(unasked, skippedCount)}\n`, ...left] : []),
  ].join("")
}

/** Prompts in a table that is read on a screen. */
const shownPrompts = 20

const modelHeader = [
  ...["model", "provider", "calls", "a day", "failed", "cost", "share", "a month"],
  ...["prompt tokens p50 / p95", "answer tokens p50 / p95", "latency p50 / p95", "shut down on"],
]

function modelRow(use: ModelUse): readonly string[] {
  const share = figureValue(use.costShare)
  return [
    ...[plainText(use.model, 60), plainText(use.provider ?? "unknown", 30), count(use.calls)],
    ...[valueCell(use.callsPerDay, null), count(use.failed), dollars(use.costUsd)],
    ...[share === null ? "unknown" : roundPercent(share), dollars(use.costPerMonthUsd)],
    ...[pair(use.promptTokens, "count"), pair(use.completionTokens, "count"), pair(use.latencyMs, "ms")],
    use.retires?.day ?? "",
  ]
}

/** What is known of a sum; some of it may be unknown. */
function dollars(figure: Figure): string {
  const isLeast = figure.status === "known" && figure.warning !== undefined
  return `${isLeast ? "\u2265 " : ""}${valueCell(figure, "usd")}`
}

function pair({ p50, p95 }: Percentiles, unit: Unit): string {
  const [median, high] = [figureValue(p50), figureValue(p95)]
  return median === null ? "unknown" : quantityPair(median, high, unit)
}

function retirement({ model, retires }: ModelUse): readonly string[] {
  return retires === null ? [] : [`${plainText(model, 60)}: shut down on ${retires.day}: ${retires.source}`]
}

/** Why figures are unknown, and what they leave out, each reason once. */
function remarks({
  model,
  provider: _,
  calls: _calls,
  failed: _failed,
  retires: _retires,
  ...figures
}: ModelUse): readonly string[] {
  const all = Object.values(figures).flatMap((figure) => ("status" in figure ? [figure] : [figure.p50]))
  const reasons = all.flatMap((figure) =>
    figure.status === "unknown" ? [figure.reason] : figure.warning ? [figure.warning] : [],
  )
  return [...new Set(reasons)].map((reason) => `${plainText(model, 60)}: ${plainText(reason, 300)}`)
}
