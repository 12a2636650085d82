import { wrap } from "../../../reports/terminal/style.ts"
import { differenceWords } from "../../../reports/wording/difference-words.ts"
import { isIncluded, runDifferences } from "../../analyse/summary/run-difference.ts"
import { ExitCode } from "../../core/errors.ts"
import type { RunDifference } from "../../core/report/frozen-plan.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { closing } from "../../platform/closing.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { readableName } from "../../words/metric.ts"
import { plainText } from "../../words/text.ts"
import { json, text } from "../arguments/options.ts"
import type { Command, CommandIo } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit diff A B`: what changed in prompts, parameters, data and versions between two runs. */
export const command: Command = {
  positionals: {
    a: text("the earlier run: id or its beginning", { demandOption: true }),
    b: text("the later run", { demandOption: true }),
  },
  options: {
    json: json("one JSON array"),
    ...storeOptions,
  },
  examples: { "$0 diff 7f3a 91bc": "what the later run asked differently" },

  async run(args, io) {
    return closing(openProjectStore(args, io), async (store) => {
      const [a, b] = [findRun(store, String(args.a)), findRun(store, String(args.b))]
      const differences = runDifferences(a, b)
      if (args.json)
        io.out(
          `${JSON.stringify(differences.map(({ about, path, before, after }) => ({ about, path, before, after })))}\n`,
        )
      else if (a.id === b.id) io.out(`Both are run ${a.id}: name two runs to see what they asked differently.\n`)
      else if (differences.length === 0)
        io.out(`Runs ${a.id} and ${b.id} asked the same: data, variants, metrics, settings and versions are equal.\n`)
      else io.out(differencesText(differences, [a, b], io))
      return ExitCode.ok
    })
  },
}

const titles = {
  data: "data",
  variant: "variants",
  metric: "metrics",
  setting: "settings",
  version: "versions",
} as const

function differencesText(
  differences: readonly RunDifference[],
  [before, after]: readonly [RunRecord, RunRecord],
  { columns, unicode }: CommandIo,
): string {
  const hanging = (start: string, value: string) =>
    wrap(plainText(value, 1000), columns - start.length - 1, unicode).map(
      (line, i) => `${i === 0 ? start : " ".repeat(start.length)}${line}`,
    )
  const lines = hanging("", `from run ${before.id} to run ${after.id}`)
  for (const about of Object.keys(titles) as (keyof typeof titles)[]) {
    const rows = onlyInOne(about, before, after)
    const alone = new Set(rows.map(({ name }) => name))
    const named = differences.filter(
      (difference) => difference.about === about && !(difference.of !== null && alone.has(difference.of)),
    )
    const own = named.filter((runDifference) => !isIncluded(runDifference, named))
    if (own.length + rows.length === 0) continue
    lines.push("", titles[about], ...rows.flatMap(({ sign, words }) => hanging(`  ${sign} `, words)))
    for (const runDifference of own) {
      const { before, after } = runDifference
      const value = (sign: string, side: string | null) => (side === null ? [] : hanging(`    ${sign} `, side))
      lines.push(...hanging("  ", differenceWords(runDifference)), ...value("-", before), ...value("+", after))
    }
  }
  return `${lines.join("\n")}\n`
}

/** Variants and metrics that one of the runs has alone: one line each in place of all that they consist of. */
function onlyInOne(
  about: keyof typeof titles,
  before: RunRecord,
  after: RunRecord,
): readonly { readonly sign: "-" | "+"; readonly name: string; readonly words: string }[] {
  if (about !== "variant" && about !== "metric") return []
  const list = titles[about]
  const [a, b] = [before[list], after[list]]
  const missing = (own: typeof a, other: typeof a) => own.filter(({ name }) => !other.some((two) => two.name === name))
  const line = (sign: "-" | "+", entry: (typeof a)[number]) => ({ sign, name: entry.name, words: wordsOf(entry) })
  return [...missing(a, b).map((entry) => line("-", entry)), ...missing(b, a).map((entry) => line("+", entry))]
}

/** A variant with its model and where it is asked; a metric by its name. */
function wordsOf(item: RunRecord["variants"][number] | RunRecord["metrics"][number]): string {
  if (!("model" in item)) return readableName(item.name)
  const facts = [item.model, item.provider, item.quantization].filter((fact) => typeof fact === "string" && fact !== "")
  return facts.length === 0 ? item.name : `${item.name} (${facts.join(", ")})`
}
