import { basename, dirname, resolve } from "node:path"
import { dataset } from "../../datasets/dataset.ts"
import { inline } from "../../datasets/inline.ts"
import { type CriticalSamples, markCritical } from "../../datasets/mark-critical.ts"
import { divergence } from "../../metrics/perplexity/divergence.ts"
import type { Dataset } from "../core/dataset.ts"
import { nearest } from "../core/did-you-mean.ts"
import type { Tool } from "../core/episode/design.ts"
import { EvalkitError, messageOf, UsageError } from "../core/errors.ts"
import type { ToolDefinition } from "../core/message.ts"
import { describe } from "../core/options.ts"
import type { ReportRenderer } from "../core/report/report-renderer.ts"
import type { Evaluation, RetryPolicy } from "../core/run/evaluation.ts"
import type { Variant } from "../core/variant.ts"
import { listPrice } from "../cost/price-book.ts"
import { parseBudget } from "./budget.ts"
import { figureFaults } from "./check-figures.ts"
import { rangeFaults } from "./check-ranges.ts"
import { defaults } from "./defaults.ts"
import { issueLines } from "./issues.ts"
import { withMeasuredCapacity } from "./measured-capacity.ts"
import { defaultPrompt, prompt } from "./prompt.ts"
import type { ParsedConfig } from "./schema.ts"

/** Where a config came from. @experimental */
export interface ValidateOptions {
  /** Path of the config file: named in messages, and the folder that relative paths start from. */
  readonly configPath?: string
  /** Where a path such as `variants[1].prompt` stands in the file, for messages: file:line:column. */
  readonly placeOf?: (path: string) => string
  /** The capacities that prices name are being measured: their files are not read. Default false. */
  readonly measuresCapacity?: boolean
}

/**
 * Checks a config (as `eval.config.ts` exports it; not a function) and fills in every default.
 * Relative paths of the data set and of `directory` start at the config's folder, else at the working directory.
 *
 * @throws UsageError with one line per fault: config path, what was expected, what was there.
 * @example (await validateConfig({ metrics: [exactMatch()] })).repeats // 1
 * @public
 */
export async function validateConfig(config: unknown, options: ValidateOptions = {}): Promise<Evaluation> {
  const { configSchema } = await import("./schema.ts")
  const read = <Value>(value: () => Value): Value => readable(value, options.configPath)
  const parsed = read(() => configSchema.safeParse(config))
  if (!parsed.success)
    throw invalid(
      read(() => issueLines(parsed.error.issues, config)),
      options,
    )
  const folder = resolve(options.configPath === undefined ? "." : dirname(options.configPath))
  const evaluation = read(() => withDefaults(parsed.data, folder, options.measuresCapacity === true))
  const faults = [...crossChecks(evaluation), ...figureFaults(evaluation)]
  if (faults.length > 0) throw invalid(faults, options)
  const beyond = rangeFaults(evaluation)
  if (beyond.length > 0) throw invalid(beyond, options)
  for (const metric of evaluation.metrics) await metric.prepare?.()
  return evaluation
}

/** What `value` reads: a config is code, and its values may have getters that throw. */
function readable<Value>(value: () => Value, configPath: string | undefined): Value {
  try {
    return value()
  } catch (error) {
    if (error instanceof EvalkitError) throw error
    throw new UsageError(`a value of the config cannot be read: ${messageOf(error)}`, {
      code: "config_invalid",
      where: configPath ?? "config",
      hint: "look at its getters and proxies",
      cause: error,
    })
  }
}

function withDefaults(config: ParsedConfig, folder: string, measures: boolean): Evaluation {
  const metrics = config.metrics ?? []
  const variants = (config.variants ?? []).map((variant) => toVariant(variant, measures ? null : folder))
  const primary = config.primary ?? metrics[0]?.name ?? []
  return {
    name: config.name ?? (basename(folder) || "evaluation"),
    dataset: withCritical(toDataset(config.dataset, folder), config.critical),
    variants,
    metrics,
    pairMetrics: config.pairMetrics ?? [divergence()],
    primary: typeof primary === "string" ? [primary] : primary,
    baseline: config.baseline ?? variants[0]?.name ?? null,
    margin: config.margin ?? defaults.margin,
    marginKind: config.margin === undefined ? "share" : "unit",
    ...(config.breaks?.length && {
      breaks: config.breaks.map((rule) => (typeof rule === "string" ? { metric: rule } : rule)),
    }),
    missing: config.missing ?? defaults.missing,
    smallestGain: config.smallestGain ?? defaults.smallestGain,
    ...(config.timeLimitMs !== undefined && { timeLimitMs: config.timeLimitMs }),
    alpha: config.alpha ?? defaults.alpha,
    ...(config.energy && { energy: config.energy }),
    difficultyFrom: config.difficultyFrom ?? [],
    slices: config.slices ? [...new Set(config.slices)] : null,
    repeats: config.repeats ?? defaults.repeats,
    seed: config.seed ?? defaults.seed,
    concurrency: config.concurrency ?? defaults.concurrency,
    timeouts: { ...defaults.timeouts, ...config.timeouts },
    retry: toRetry(config.retry),
    budget: typeof config.budget === "string" ? parseBudget(config.budget) : (config.budget ?? {}),
    ...batchOf(config.batch),
    cache: config.cache ?? defaults.cache,
    axes: config.axes ?? defaults.axes,
    constraints: config.constraints ?? [],
    gate: config.gate ?? [],
    reports: config.reports ?? null,
    ...(config.store && { store: config.store }),
    directory: resolve(folder, config.directory ?? defaults.directory),
  }
}

function withCritical(dataset: Dataset | null, critical: CriticalSamples | undefined): Dataset | null {
  return dataset && critical ? markCritical(dataset, critical) : dataset
}

/** @param benches folder that the paths of measured capacities start from; null: the capacity is what is being measured */
function toVariant(config: NonNullable<ParsedConfig["variants"]>[number], benches: string | null): Variant {
  const { provider } = config
  const name = config.name ?? (provider.label.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "") || "variant")
  const price = config.price === undefined ? listPrice(provider) : config.price
  return {
    name,
    provider,
    prompt: typeof config.prompt === "string" ? prompt(config.prompt) : (config.prompt ?? defaultPrompt),
    parameters: config.parameters ?? {},
    price: benches === null ? price : withMeasuredCapacity(price, name, benches),
    limits: config.limits ?? {},
    ...(config.tools === undefined ? {} : { tools: config.tools }),
    ...(config.episode && { episode: config.episode }),
    ...(config.episode && config.episode.tools.length > 0 && { tools: config.episode.tools.map(definitionOf) }),
    ...(config.sweep === undefined ? {} : { sweep: config.sweep }),
  }
}

function definitionOf({ name, description, parameters }: Tool): ToolDefinition {
  return { name, ...(description !== undefined && { description }), parameters }
}

function toDataset(value: ParsedConfig["dataset"], folder: string): Dataset | null {
  if (value === undefined) return null
  if (typeof value === "string") return dataset(value, { baseDirectory: folder })
  if (Array.isArray(value)) return inline(value, { baseDirectory: folder })
  return value.resolveFrom?.(folder) ?? value
}

/** What the field `batch` means; nothing where it is false or absent. */
function batchOf(batch: ParsedConfig["batch"]): Pick<Evaluation, "batch"> {
  if (batch === undefined || batch === false) return {}
  return { batch: { ...defaults.batch, ...(batch === true ? {} : batch) } }
}

function toRetry(retry: ParsedConfig["retry"]): RetryPolicy {
  if (retry === false) return { ...defaults.retry, retries: 0 }
  if (typeof retry === "number") return { ...defaults.retry, retries: retry }
  return { ...defaults.retry, ...retry }
}

/** What no single field can tell: names that clash or that nothing has. */
function crossChecks(evaluation: Evaluation): string[] {
  const { variants, metrics, primary, baseline, gate, reports } = evaluation
  const variantNames = variants.map((variant) => variant.name)
  const metricNames = metrics.map((metric) => metric.name)
  return [
    ...duplicates(variantNames).map(
      ([i, j]) => `variants[${j}].name: expected a unique name, got ${describe(variantNames[j])} like variants[${i}]`,
    ),
    ...duplicates(metricNames).map(
      ([i, j]) =>
        `metrics[${j}].name: expected a unique name, got ${describe(metricNames[j])} like metrics[${i}] ` +
        "(every metric takes a name option)",
    ),
    ...sameFields(reports ?? [], "name"),
    ...sameFields(reports ?? [], "extension"),
    ...(baseline === null ? [] : unknownName("baseline", baseline, variantNames, "a variant")),
    ...primary.flatMap((name, i) => unknownName(`primary[${i}]`, name, metricNames, "a metric")),
    ...(evaluation.breaks ?? []).flatMap(({ metric }, i) =>
      unknownName(`breaks[${i}]`, metric, metricNames, "a metric"),
    ),
    ...metrics.flatMap((metric, i) =>
      (metric.dependsOn ?? []).flatMap((name) =>
        unknownName(`metrics[${i}]`, name, metricNames, `a config that also has the metric it depends on: one`),
      ),
    ),
    ...gate.flatMap((rule, i) =>
      (rule.variants ?? []).flatMap((name, j) =>
        unknownName(`gate[${i}].variants[${j}]`, name, variantNames, "a variant"),
      ),
    ),
  ]
}

/** Reports that would have one name, or be written into one file. */
function sameFields(reports: readonly ReportRenderer[], field: "name" | "extension"): string[] {
  return duplicates(reports.map((report) => report[field])).map(
    ([i, j]) =>
      `reports[${j}].${field}: expected ${field === "name" ? "a name" : "an ending"} of its own, ` +
      `got ${describe(reports[j]?.[field])} like reports[${i}]`,
  )
}

function duplicates(names: readonly string[]): [number, number][] {
  return names.flatMap((name, j): [number, number][] => {
    const i = names.indexOf(name)
    return i < j ? [[i, j]] : []
  })
}

function unknownName(path: string, name: string, names: readonly string[], kind: string): string[] {
  if (names.includes(name)) return []
  const meant = nearest(name, names)
  const hint = meant ? `; did you mean "${meant}"?` : ""
  return [`${path}: expected ${kind} of (${names.join(", ") || "none are given"}), got ${describe(name)}${hint}`]
}

function invalid(faults: readonly string[], { configPath, placeOf }: ValidateOptions): UsageError {
  const lines = placeOf ? faults.map((text) => `${placeOf(/^[^:\s]*/.exec(text)?.[0] ?? "")}: ${text}`) : faults
  const shown = lines.slice(0, 20)
  const rest = lines.length - shown.length
  const [only] = lines
  return new UsageError("the config is not valid", {
    code: "config_invalid",
    where:
      lines.length === 1 && (configPath === undefined || placeOf)
        ? (only as string)
        : `${configPath ?? "config"}\n${shown.map((text) => `  ${text}`).join("\n")}${rest > 0 ? `\n  and ${rest} more` : ""}`,
  })
}
