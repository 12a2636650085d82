import { plainText } from "../../../../reports/format/text.ts"
import { truncateWords } from "../../../../reports/terminal/style.ts"
import { ExitCode } from "../../../core/errors.ts"
import { findRun } from "../../../engine/report/find-run.ts"
import { type RunDifference, runDifferences } from "../../../engine/report/run-difference.ts"
import type { Command, CommandIo } from "../../command.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { storeOptions } from "../../store/store-options.ts"

/** `evalkit diff A B`: what changed in prompts, parameters, data and versions between two runs. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("a", { type: "string", demandOption: true, describe: "the earlier run: id or its beginning" })
      .positional("b", { type: "string", demandOption: true, describe: "the later run" })
      .option("json", { type: "boolean", default: false, describe: "one JSON array" })
      .options(storeOptions)
      .example("$0 diff 7f3a 91bc", "what the later run asked differently"),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const [a, b] = [findRun(store, String(args.a)), findRun(store, String(args.b))]
      const differences = runDifferences(a, b)
      if (args.json) io.out(`${JSON.stringify(differences)}\n`)
      else if (differences.length === 0)
        io.out(`Runs ${a.id} and ${b.id} asked the same: data, variants, metrics, settings and versions are equal.\n`)
      else io.out(text(differences, `from run ${a.id} to run ${b.id}`, io))
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}

const titles = {
  data: "data",
  variant: "variants",
  metric: "metrics",
  setting: "settings",
  version: "versions",
} as const

function text(differences: readonly RunDifference[], title: string, { columns, unicode }: CommandIo): string {
  const lines = [title]
  for (const about of Object.keys(titles) as (keyof typeof titles)[]) {
    const own = differences.filter((one) => one.about === about)
    if (own.length === 0) continue
    lines.push("", titles[about])
    for (const { path, before, after } of own) {
      const value = (sign: string, one: string | null) =>
        one === null ? [] : [truncateWords(`    ${sign} ${plainText(one, 1000)}`, columns - 1, unicode)]
      lines.push(`  ${plainText(path, 200)}`, ...value("-", before), ...value("+", after))
    }
  }
  return `${lines.join("\n")}\n`
}
