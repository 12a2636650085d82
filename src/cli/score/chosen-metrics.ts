import { namedMetric } from "../../../metrics/named.ts"
import { type LoadConfigOptions, loadConfig } from "../../config/load.ts"
import { validateConfig } from "../../config/validate.ts"
import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Args, CommandIo } from "../command.ts"
import { listOption } from "../list-option.ts"
import { loadOptions } from "../load-options.ts"

/** What metrics are made from, as data that a thread can be sent. */
export type MetricSource = {
  /** Null: no config is read. */
  readonly configPath: string | null
  /** Metrics by name; all of the config's where it is empty. */
  readonly names: readonly string[]
}

/**
 * The metrics that `--metric` names: of the config that `--config` names, else of the catalogue. Without `--metric` those of the
 * config.
 *
 * @throws {UsageError} for a config without metrics, and for a name that there is no metric of
 */
export async function chosenMetrics(
  args: Args,
  io: CommandIo,
): Promise<{ readonly source: MetricSource; readonly evaluation: Evaluation }> {
  const names = listOption(args.metric)
  const config = args.config as string | undefined
  if (names.length > 0 && config === undefined) {
    const source = { configPath: null, names }
    return { source, evaluation: await evaluationOf(source) }
  }
  const { path, evaluation } = await loadConfig(config, { ...loadOptions(io), signal: io.signal }).catch((error) => {
    // Who has a file of answers needs no config at all.
    if (config !== undefined || !(error instanceof UsageError && error.code === "config_not_found")) throw error
    throw new UsageError("no metric is named, and there is no config", {
      code: error.code,
      ...(error.where === undefined ? {} : { where: error.where }),
      hint: "name one: --metric exactMatch; or write a config: evalkit init",
      cause: error,
    })
  })
  if (evaluation.metrics.length === 0)
    throw new UsageError("the config has no metrics", { where: path, hint: "metrics: [exactMatch()]" })
  return { source: { configPath: path, names }, evaluation: await withMetrics(evaluation, names) }
}

/** The evaluation that a thread scores with. */
export async function evaluationOf(
  { configPath, names }: MetricSource,
  options: LoadConfigOptions = {},
): Promise<Evaluation> {
  if (configPath !== null) return withMetrics((await loadConfig(configPath, options)).evaluation, names)
  const metrics = await Promise.all(names.map(namedMetric))
  const twice = metrics.find(({ name }, i) => metrics.findIndex((metric) => metric.name === name) < i)
  if (twice) throw new UsageError(`--metric names ${twice.name} twice`, { where: `--metric ${names.join(", ")}` })
  return validateConfig({ metrics })
}

async function withMetrics(evaluation: Evaluation, names: readonly string[]): Promise<Evaluation> {
  if (names.length === 0) return evaluation
  const own = evaluation.metrics
  const chosen = await Promise.all(names.map((name) => own.find((metric) => metric.name === name) ?? named(name, own)))
  const needed = chosen.flatMap((metric) => withNeeds(metric, own))
  return { ...evaluation, metrics: [...new Set([...chosen, ...needed])] }
}

/** A metric of the catalogue that the config does not have. */
async function named(name: string, own: readonly AnyMetric[]): Promise<AnyMetric> {
  return namedMetric(name).catch(() => {
    const meant = nearest(
      name,
      own.map((metric) => metric.name),
    )
    throw new UsageError(`neither the config nor the catalogue has a metric "${name.slice(0, 60)}"`, {
      code: "unknown_metric",
      where: `--metric ${name.slice(0, 60)}`,
      hint: meant ? `did you mean "${meant}"?` : `the config has ${own.map((metric) => metric.name).join(", ")}`,
    })
  })
}

/** The metrics that a metric reads the values of, and theirs. */
function withNeeds(
  metric: AnyMetric,
  own: readonly AnyMetric[],
  before: ReadonlySet<AnyMetric> = new Set(),
): readonly AnyMetric[] {
  const needed = own.filter((entry) => metric.dependsOn?.includes(entry.name) && !before.has(entry))
  const all = new Set([...before, ...needed])
  return [...needed, ...needed.flatMap((entry) => withNeeds(entry, own, all))]
}
