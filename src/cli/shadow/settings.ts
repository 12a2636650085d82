import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseBudget } from "../../config/budget.ts"
import { defaults } from "../../config/defaults.ts"
import { UsageError } from "../../core/errors.ts"
import type { Budget } from "../../core/run/evaluation.ts"
import { listPrice } from "../../cost/price-book.ts"
import { refuseUnknownPrices } from "../../cost/refuse-unknown-prices.ts"
import { type Constraint, parseConstraints } from "../../estimate/constraints.ts"
import { readApiKey } from "../../providers/openai/api-key.ts"
import { parseBaseUrl } from "../../providers/openai/base-url.ts"
import { openai } from "../../providers/openai.ts"
import type { MirrorSettings } from "../../shadow/mirrored-call.ts"
import { stopFigures } from "../../shadow/stop-rule.ts"
import { createRedaction } from "../../text/personal-data/redaction.ts"
import { integerOption } from "../arguments/options.ts"
import { parsePrice } from "../bench/option-values.ts"
import { shareOption } from "../canary.ts"
import type { Args, CommandIo } from "../command.ts"
import { countriesOf, pseudonymKeyOf } from "../files/redact-options.ts"

/** What `evalkit shadow` is told, checked. */
export interface ShadowSettings {
  readonly host: string
  readonly port: number
  readonly primary: URL
  /** 0..1. */
  readonly share: number
  readonly seed: number
  readonly mirror: MirrorSettings
}

/**
 * Reads the options. Makes the key of the pseudonyms where the folder has none.
 *
 * @param folder absolute, and there
 * @throws UsageError for what cannot be meant, a key that is not set, and a budget in dollars without a price
 */
export async function shadowSettings(args: Args, io: CommandIo, folder: string): Promise<ShadowSettings> {
  const primary = parseBaseUrl(String(args.primary))
  const model = String(args.candidateModel)
  const { href: baseUrl, hostname } = parseBaseUrl(String(args.candidate))
  const variable = args.keyVariable
  const provider = openai({ model, baseUrl, apiKeyVariable: null })
  const price = args.price === undefined ? listPrice(provider) : parsePrice(String(args.price))
  const budget = dailyBudget(args.budget)
  const countries = countriesOf(args.countries)
  // A country without a numbering plan is found at the first number.
  await createRedaction({ countries }).value("Tel. 030 20931123")
  if (budget.usd !== undefined)
    refuseUnknownPrices({ prices: new Map([[`${hostname} ${model}`, price]]) }, "state it: --price INPUT/OUTPUT")
  return {
    host: String(args.host),
    port: integerOption(args, "port", 0, 65_535),
    primary,
    share: shareOption(String(args.share), "--share", true),
    seed: integerOption(args, "seed", 0, Number.MAX_SAFE_INTEGER),
    mirror: {
      folder,
      primaryHost: primary.host,
      candidate: {
        model,
        baseUrl,
        price,
        apiKey: variable === undefined ? null : readApiKey(io.environment, String(variable), "--key-variable"),
        maxTokens: integerOption(args, "maxTokens", 1, 1_000_000),
        maxTokensField: hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens",
      },
      timeouts: defaults.timeouts,
      budget,
      maxConcurrency: integerOption(args, "maxConcurrency", 1, 1000),
      countries,
      pseudonymKey:
        args.pseudonymKey === undefined ? ownKey(folder) : await pseudonymKeyOf(String(args.pseudonymKey), io.cwd),
      stopWhen: args.stopWhen === undefined ? [] : stopRules(String(args.stopWhen)),
      stopCalls: integerOption(args, "stopCalls", 50, 100_000),
    },
  }
}

/** The folder of the pairs, absolute. */
export function shadowFolder(args: Args, { cwd }: Pick<CommandIo, "cwd">): string {
  return resolve(cwd, String(args.out))
}

/** `20usd/day` as amounts of a day; nothing for no option. */
function dailyBudget(value: unknown): Budget {
  if (value === undefined) return {}
  const [, amounts] = /^(.+?)\s*\/\s*day$/.exec(String(value).trim()) ?? []
  const budget = amounts === undefined ? null : parseBudget(amounts, "--budget")
  if (budget && budget.minutes === undefined) return budget
  throw new UsageError(`"${String(value).slice(0, 60)}" is not a budget of a day`, {
    where: "--budget",
    hint: 'write it as "20usd/day", "500 requests/day" or "20usd, 2M tokens/day"',
  })
}

function stopRules(text: string): readonly Constraint[] {
  const rules = parseConstraints(text)
  const strange = rules.find(({ figure }) => !stopFigures.includes(figure))
  if (rules.length > 0 && !strange) return rules
  throw new UsageError(`--stop-when cannot watch "${strange?.text ?? text}"`, {
    where: strange?.figure ?? "--stop-when",
    hint: 'write it as "availability < 99 %" or "p95 TTFT > 2 s": availability, TTFT and E2E with mean, p50, p90, p95 or p99',
  })
}

/** The key of a folder: the same pseudonyms in all that it holds. */
function ownKey(folder: string): Buffer {
  const path = join(folder, "pseudonyms.key")
  try {
    writeFileSync(path, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  return readFileSync(path)
}
