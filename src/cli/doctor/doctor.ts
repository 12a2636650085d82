import { join, resolve } from "node:path"
import { messagesOf } from "../../calls/model-request.ts"
import { loadConfig } from "../../config/load.ts"
import type { Dataset } from "../../core/dataset.ts"
import { EvalkitError, ExitCode, messageOf } from "../../core/errors.ts"
import { readMedia, withData } from "../../core/media/message-parts.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { listPrice } from "../../cost/price-book.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { checkMedia } from "../../run/check-media.ts"
import { pricesToPay, usersToPay } from "../../run/prices-to-pay.ts"
import { needReference } from "../../score/needs-reference.ts"
import { defaultDirectory } from "../../store/project-store.ts"
import { dataName } from "../../words/data-name.ts"
import { counted } from "../../words/number.ts"
import { nameReferences } from "../../words/reasons/scores.ts"
import { flag, json, text } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { calledAs } from "../run/shell-words.ts"
import { needOfPrices, priceCheck } from "./answer-checks.ts"
import type { DoctorCheck } from "./check.ts"
import { checkClock } from "./clock-check.ts"
import { checkModel, metricCalls, metricModels, userCalls, variantCalls } from "./config-calls.ts"
import { checkDisk, checkNode, checkStore } from "./machine-checks.ts"
import { checkCall, checkModelFile } from "./provider-checks.ts"
import { checkSharedStore, checkStoreContent } from "./store-checks.ts"
import { checkToolSources } from "./tool-checks.ts"

/** `evalkit` at the beginning of a command that a message advises. */
const advised = /(?<=: )evalkit(?= [a-z])/g

/** `evalkit doctor`: what a run needs, checked before it starts. Exit code 2 when a check failed. */
export const command: Command = {
  positionals: { config: text("default: eval.config.ts") },
  options: {
    call: flag("ask as each variant and judge asks, for a few tokens (--no-call: do not)", { default: true }),
    store: flag("look into the store instead: damage, orphans, stuck runs", { default: false }),
    repair: flag("with --store: put right what can be", { default: false }),
    directory: text("folder of the store (default: the config's, or .evalkit)"),
    json: json("one JSON object"),
  },
  examples: {
    "$0 doctor": "keys, models, parameters, judges, prices, limits, disk, clock",
    "$0 doctor --no-call": "without spending a token",
    "$0 doctor --store --repair": "rows without a run, runs without a process",
  },
  epilogue:
    "A check fails (exit code 2) where the run would fail, lose calls, or have no figure for what the config asks of it. It warns where the run goes on with less: a price that is unknown fails with a budget in dollars or a rule on cost, and warns elsewhere, as figures of cost are unknown then; a parameter that is refused is left out, which the report says; a clock that is off changes no figure, for times are taken from a clock of their own, but when a run took place and waits until a stated time are off with it.",

  async run(args, io) {
    const checks: DoctorCheck[] = []
    const report = (check: DoctorCheck | null) => {
      if (check === null) return
      checks.push(check)
      if (!args.json) io.out(line(check).replace(advised, calledAs(io.environment)))
    }
    if (args.store) {
      const directory = resolve(io.cwd, String(args.directory ?? defaultDirectory))
      for (const check of checkStoreContent(directory, args.repair === true)) report(check)
    } else await checkSetting(args, io, report)
    const failed = checks.filter((check) => check.status === "failed").length
    if (args.json) io.out(`${JSON.stringify({ ok: failed === 0, checks })}\n`)
    else io.out(failed === 0 ? `\n${readyLine(checks)}\n` : `\n${failed} of ${checks.length} checks failed.\n`)
    return failed === 0 ? ExitCode.ok : ExitCode.usage
  },
}

function readyLine(checks: readonly DoctorCheck[]): string {
  const warnings = checks.filter((check) => check.status === "warning").length
  return warnings === 0 ? "Ready." : `Ready, with ${counted(warnings, "warning")} above.`
}

type Report = (check: DoctorCheck | null) => void

/** What a run of the config needs. */
async function checkSetting(args: Args, io: CommandIo, report: Report): Promise<void> {
  report(checkNode(process.version))
  const evaluation = await loadEvaluation(args.config as string | undefined, io, report)
  const option = args.directory === undefined ? evaluation?.directory : resolve(io.cwd, String(args.directory))
  const directory = option ?? join(io.cwd, defaultDirectory)
  report(await checkStore(directory))
  report(await checkDisk(directory))
  report(checkSharedStore({}, io, evaluation ?? undefined))
  if (evaluation) await checkEvaluation(evaluation, args.call !== false, io, report)
}

async function loadEvaluation(path: string | undefined, io: CommandIo, report: Report): Promise<Evaluation | null> {
  const name = "config"
  try {
    const { evaluation } = await loadConfig(path, { ...loadOptions(io), signal: io.signal })
    const { variants, metrics } = evaluation
    report({
      name,
      status: "ok",
      message: `${counted(variants.length, "variant")}, ${counted(metrics.length, "metric")}`,
    })
    return evaluation
  } catch (error) {
    const absent = path === undefined && error instanceof EvalkitError && error.code === "config_not_found"
    report({ name, status: absent ? "warning" : "failed", message: messageOf(error) })
    return null
  }
}

async function checkEvaluation(evaluation: Evaluation, call: boolean, io: CommandIo, report: Report): Promise<void> {
  const providers = [...new Set(evaluation.variants.map((variant) => variant.provider))]
  const { check, sample } = await readFirstSample(evaluation, io.signal)
  report(check)
  if (sample && sample.references.length === 0 && !sample.turns)
    for (const metric of await needReference(evaluation.metrics, sample)) report(noReference(metric, sample))
  const files = new Set<string>()
  const unreadable = new Set<Provider>()
  for (const provider of providers) {
    const file = await checkModelFile(provider)
    if (file === null) continue
    if (file.status === "failed") unreadable.add(provider)
    if (files.has(file.name)) continue
    files.add(file.name)
    report(file)
  }
  report(
    await checkClock(
      providers.filter((provider) => !unreadable.has(provider)),
      io.signal,
    ),
  )
  const options = {
    environment: io.environment,
    signal: io.signal,
    cacheDirectory: userCacheDirectory(io.environment),
    timeouts: evaluation.timeouts,
    call,
    progress: (message: string) => io.err(`${message}\n`),
  }
  // What a model is, is read from its file: where there is none, its variants cannot be asked anything.
  const readable = { ...evaluation, variants: evaluation.variants.filter(({ provider }) => !unreadable.has(provider)) }
  const offered = await checkToolSources(readable, sample, io.signal, report)
  for (const tried of [...variantCalls(offered, sample), ...userCalls(readable, sample), ...metricCalls(evaluation)])
    for (const doctorCheck of await checkCall(tried, options)) report(doctorCheck)
  const need = needOfPrices(evaluation)
  for (const { name, price, provider } of evaluation.variants.flatMap(pricedParts))
    if (!provider.traits?.isRecord && !provider.traits?.isFreePerCall) {
      const doctorCheck = priceCheck(price, need)
      report({ ...doctorCheck, name: `variant ${name}: ${doctorCheck.name}` })
    }
  const others = [...usersToPay(evaluation.variants), ...pricesToPay({ variants: [], metrics: evaluation.metrics })]
  for (const [name, price] of others)
    if (price === null) {
      const doctorCheck = priceCheck(price, need)
      report({ ...doctorCheck, name: `${name}: ${doctorCheck.name}` })
    }
  const defaultEmbedder = transformers({ cacheDirectory: options.cacheDirectory })
  try {
    for (const [metric, model] of metricModels(evaluation))
      report(await checkModel(metric, model, { call, signal: io.signal, defaultEmbedder }))
  } finally {
    await defaultEmbedder.close()
    await Promise.all(evaluation.metrics.map((metric) => metric.close?.()))
  }
}

/** What has a price of its own: the variant, or each provider that it asks. */
function pricedParts({ name, price, provider }: Variant): readonly Pick<Variant, "name" | "price" | "provider">[] {
  const members = price === null ? (provider.traits?.members ?? []) : []
  if (members.length === 0) return [{ name, price, provider }]
  return members.map((member) => ({ name: `${name}, ${member.label}`, price: listPrice(member), provider: member }))
}

/** The first sample, with which every prompt can be rendered. */
async function readFirstSample(
  { dataset, variants }: Evaluation,
  signal: AbortSignal,
): Promise<{ readonly check: DoctorCheck; readonly sample: Sample | null }> {
  const name = "dataset"
  const none = (status: DoctorCheck["status"], message: string) => ({ check: { name, status, message }, sample: null })
  if (dataset === null) return none("skipped", "the config has none")
  const source = dataset.source === "inline" ? dataName(dataset) : dataset.source
  try {
    for await (const sample of dataset.samples(signal)) {
      for (const variant of variants) checkMedia(variant, sample, messagesOf(variant, sample))
      const message = `${source} begins with sample ${JSON.stringify(sample.id)}`
      return { check: { name, status: "ok", message }, sample: await withBytes(sample, dataset) }
    }
    return none("failed", `${source} has no samples`)
  } catch (error) {
    return none("failed", messageOf(error))
  }
}

/** A metric that cannot score the first sample, whatever is answered. */
function noReference(metric: string, { id }: Sample): DoctorCheck {
  return {
    name: `metric ${metric}`,
    status: "warning",
    message: `it needs a reference, and sample ${JSON.stringify(id)} has none: ${nameReferences}`,
  }
}

/** The sample with the bytes of its pictures and recordings, as a call sends them. */
async function withBytes(sample: Sample, dataset: Dataset): Promise<Sample> {
  const { input } = sample
  if (typeof input !== "object" || input === null) return sample
  const bytes = await readMedia(input, async (sha256) => (await dataset.media?.(sha256)) ?? null)
  return { ...sample, input: withData(input, (sha256) => bytes.get(sha256) ?? null) }
}

const marks = { ok: "ok     ", warning: "warning", failed: "FAILED ", skipped: "-      " } as const

function line({ name, status, message }: DoctorCheck): string {
  return `${marks[status]}  ${name}: ${message}\n`
}
