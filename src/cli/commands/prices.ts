import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { fittedTable } from "../../../reports/terminal/text-table.ts"
import { nearest } from "../../core/did-you-mean.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { checkPrices, type PriceCheck } from "../../cost/check/check-prices.ts"
import { type PriceBookRow, priceBook } from "../../cost/price-book.ts"
import { count } from "../../words/number.ts"
import { plainText } from "../../words/text.ts"
import { json, text } from "../arguments/options.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { Screen } from "../arguments/screen-table.ts"
import type { Command } from "../command.ts"

/** `evalkit prices`: the price book, or what a table of others says differently. */
export const command: Command = {
  positionals: { model: text("only rows with this in their provider or model") },
  options: {
    check: text("compare with a downloaded table: models.dev's api.json or LiteLLM's prices", { requiresArg: true }),
    json: json(),
  },
  examples: {
    "$0 prices gpt-5.4": "what the price book says, from where and when",
    "$0 prices --check api.json": "what has changed since its rows were read",
  },
  epilogue: "exit code 0, also where prices differ: nothing is changed",

  async run(args, io) {
    const rows = matching(args.model === undefined ? "" : String(args.model))
    if (typeof args.check !== "string") {
      io.out(args.json ? `${JSON.stringify(rows)}\n` : bookText(rows, io))
      return ExitCode.ok
    }
    const check = checkPrices(fileText(resolve(io.cwd, args.check), args.check), args.check, rows)
    io.out(args.json ? `${JSON.stringify(check)}\n` : checkText(check, plainText(args.check, 200), io))
    return ExitCode.ok
  },
}

function matching(text: string): readonly PriceBookRow[] {
  const query = text.toLowerCase()
  const rows = priceBook.filter(({ provider, model }) => `${provider}/${model}`.toLowerCase().includes(query))
  if (rows.length > 0) return rows
  const near = nearest(query, [...new Set(priceBook.map(({ model }) => model))])
  const meant = near === undefined ? "" : `did you mean "${near}"? `
  throw new UsageError("the price book has no such model", {
    where: text,
    hint: `${meant}list all with: evalkit prices`,
  })
}

function bookText(rows: readonly PriceBookRow[], screen: Screen): string {
  const header = ["provider", "model", "input", "cached", "output", "read on", "source"]
  const lines = rows.map((row) => [
    row.provider,
    row.model,
    dollars(row.inputPerMillion),
    row.cachedInputPerMillion == null ? "unknown" : dollars(row.cachedInputPerMillion),
    dollars(row.outputPerMillion),
    row.date,
    row.source,
  ])
  return `Dollars per million tokens.\n\n${fittedTable(header, lines, { words: [0, 1, 5, 6], width: screenWidth(screen), drop: [6, 5] })}`
}

function checkText({ table, compared, missing, differences }: PriceCheck, file: string, screen: Screen): string {
  const rows = compared === 1 ? "row" : "rows"
  const absent = missing.length === 0 ? "" : ` It does not have ${count(missing.length)} other rows of the price book.`
  if (differences.length === 0)
    return `${file}: ${table} agrees with the ${count(compared)} ${rows} of the price book that it has.${absent}\n`
  const models = new Set(differences.map(({ provider, model }) => `${provider} ${model}`)).size
  const header = ["provider", "model", "rate", "price book", table, "read on"]
  const lines = differences.map(({ provider, model, rate, ours, theirs, date }) => [
    provider,
    plainText(model, 60),
    rate,
    ours === null ? "not stated" : dollars(ours),
    dollars(theirs),
    date,
  ])
  const sentence = `${file}: ${table} differs from the price book in ${count(models)} of ${count(compared)} ${rows} that both have.${absent}`
  return `${sentence}\n\n${fittedTable(header, lines, { words: [0, 1, 2, 5], width: screenWidth(screen), drop: [5] })}`
}

/** All digits of a decimal: a price is not rounded. */
function dollars(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 9 })
}

function fileText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(code === "ENOENT" ? "there is no such price table" : "the price table cannot be read", {
      where: code === "ENOENT" || code === undefined ? file : `${file} (${code})`,
      hint: "give the file of a downloaded table: models.dev's api.json or LiteLLM's prices",
      cause: error,
    })
  }
}
