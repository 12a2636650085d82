import { join, resolve } from "node:path"
import { loadConfig } from "../../config/load.ts"
import { EvalkitError, ExitCode, messageOf } from "../../core/errors.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import type { Command, CommandIo } from "../command.ts"
import type { DoctorCheck } from "../doctor/check.ts"
import { checkClock } from "../doctor/clock-check.ts"
import { checkDisk, checkNode, checkStore } from "../doctor/machine-checks.ts"
import { checkModelFile, checkProvider } from "../doctor/provider-checks.ts"
import { checkStoreContent } from "../doctor/store-checks.ts"
import { loadOptions } from "../load-options.ts"
import { defaultDirectory } from "../project-store.ts"

/** `evalkit doctor`: what a run needs, checked before it starts. Exit code 2 when a check failed. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("config", { type: "string", describe: "default: eval.config.ts" })
      .option("call", { type: "boolean", default: true, describe: "ask every model for one token (--no-call: do not)" })
      .option("store", {
        type: "boolean",
        default: false,
        describe: "look into the store instead: damage, orphans, stuck runs",
      })
      .option("repair", { type: "boolean", default: false, describe: "with --store: put right what can be" })
      .option("directory", { type: "string", describe: "with --store: its folder (default .evalkit)" })
      .option("json", { type: "boolean", default: false, describe: "one JSON object" })
      .example("$0 doctor", "keys, endpoints, models, disk, clock, store")
      .example("$0 doctor --no-call", "without spending a token")
      .example("$0 doctor --store --repair", "rows without a run, runs without a process"),

  async run(args, io) {
    const checks: DoctorCheck[] = []
    const report = (check: DoctorCheck | null) => {
      if (check === null) return
      checks.push(check)
      if (!args.json) io.out(line(check))
    }
    if (args.store) {
      const directory = resolve(io.cwd, String(args.directory ?? defaultDirectory))
      for (const check of checkStoreContent(directory, args.repair === true)) report(check)
    } else await checkSetting(args, io, report)
    const failed = checks.filter((check) => check.status === "failed").length
    if (args.json) io.out(`${JSON.stringify({ ok: failed === 0, checks })}\n`)
    else io.out(failed === 0 ? "\nReady.\n" : `\n${failed} of ${checks.length} checks failed.\n`)
    return failed === 0 ? ExitCode.ok : ExitCode.usage
  },
}

type Report = (check: DoctorCheck | null) => void

/** What a run of the config needs. */
async function checkSetting(args: Readonly<Record<string, unknown>>, io: CommandIo, report: Report): Promise<void> {
  report(checkNode(process.version))
  const evaluation = await loadEvaluation(args.config as string | undefined, io, report)
  const directory = evaluation?.directory ?? join(io.cwd, defaultDirectory)
  report(await checkStore(directory))
  report(await checkDisk(directory))
  if (evaluation) await checkEvaluation(evaluation, args.call !== false, io, report)
}

async function loadEvaluation(path: string | undefined, io: CommandIo, report: Report): Promise<Evaluation | null> {
  const name = "config"
  try {
    const { evaluation } = await loadConfig(path, loadOptions(io))
    const { variants, metrics } = evaluation
    report({ name, status: "ok", message: `${variants.length} variants, ${metrics.length} metrics` })
    return evaluation
  } catch (error) {
    const absent = path === undefined && error instanceof EvalkitError && error.code === "config_not_found"
    report({ name, status: absent ? "warning" : "failed", message: messageOf(error) })
    return null
  }
}

async function checkEvaluation(evaluation: Evaluation, call: boolean, io: CommandIo, report: Report): Promise<void> {
  const providers = distinct(evaluation.variants.map((variant) => variant.provider))
  report(await checkDataset(evaluation, io.signal))
  const files = new Set<string>()
  for (const provider of providers) {
    const check = await checkModelFile(provider)
    if (check === null || files.has(check.name)) continue
    files.add(check.name)
    report(check)
  }
  report(await checkClock(providers, io.signal))
  for (const provider of providers)
    report(
      await checkProvider(provider, {
        environment: io.environment,
        signal: io.signal,
        cacheDirectory: userCacheDirectory(io.environment),
        timeouts: evaluation.timeouts,
        call,
        progress: (message) => io.err(`${message}\n`),
      }),
    )
}

/** The first sample can be read and every prompt can be rendered with it. */
async function checkDataset({ dataset, variants }: Evaluation, signal: AbortSignal): Promise<DoctorCheck> {
  const name = "dataset"
  if (dataset === null) return { name, status: "skipped", message: "the config has none" }
  try {
    for await (const sample of dataset.samples(signal)) {
      for (const variant of variants) variant.prompt.render(sample)
      return { name, status: "ok", message: `${dataset.source} begins with sample ${JSON.stringify(sample.id)}` }
    }
    return { name, status: "failed", message: `${dataset.source} has no samples` }
  } catch (error) {
    return { name, status: "failed", message: messageOf(error) }
  }
}

function distinct(providers: readonly Provider[]): readonly Provider[] {
  const seen = new Set<string>()
  return providers.filter((provider) => {
    const key = `${provider.endpoint}\n${provider.label}`
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}

const marks = { ok: "ok     ", warning: "warning", failed: "FAILED ", skipped: "-      " } as const

function line({ name, status, message }: DoctorCheck): string {
  return `${marks[status]}  ${name}: ${message}\n`
}
