import { applyOverrides, type Overrides } from "../../config/overrides.ts"
import { retryEvaluation } from "../../config/retry-evaluation.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { StartedPart } from "../../run/planned/started-part.ts"

/** What a run goes on with: the evaluation, and the options that say so on a command line. */
export interface AsStarted {
  readonly evaluation: Evaluation
  readonly options: readonly string[]
}

/**
 * The evaluation as a run was started with it, where its command line had chosen a part of the config: what is advised after the run
 * names the run alone. What this command line says itself stays.
 *
 * @param options names of the options of this command line, as in {@link Overrides}
 */
export function asStarted(
  config: Evaluation,
  { variants, baseline, seed, repeats, dataset, retry }: RunRecord,
  part: StartedPart,
  options: ReadonlySet<string>,
): AsStarted {
  const evaluation = retryEvaluation(config, retry)
  const names = variants.map(({ name }) => name)
  const all = evaluation.variants.map(({ name }) => name)
  const isPartOfThem = names.length < all.length && names.every((name) => all.includes(name))
  // Runs of versions that noted no part say in their record how many samples they had.
  const isFirstOnes = dataset.isPart && part.canary === undefined && !options.has("canary")
  const limit = part.limit ?? (isFirstOnes ? dataset.samples : undefined)
  const started = {
    ...(isPartOfThem && { variants: names }),
    ...(part.aa && baseline !== null && { aa: true, variants: [baseline] }),
    ...(seed !== evaluation.seed && { seed }),
    ...(repeats !== evaluation.repeats && { repeats }),
    ...(part.canary !== undefined && { canary: part.canary }),
    ...(limit !== undefined && { limit }),
  } satisfies Overrides
  const chosen = { shard: part.shard, until: part.until }
  const more = Object.entries(chosen).filter(([name, value]) => value !== undefined && !options.has(name))
  const taken = Object.entries(started).filter(([name]) => !options.has(name))
  return {
    evaluation: applyOverrides(evaluation, Object.fromEntries(taken)),
    options: [...taken, ...more].flatMap(([name, value]) =>
      name === "variants"
        ? (value as readonly string[]).map((variant) => `--variant ${variant}`)
        : [value === true ? `--${name}` : `--${name} ${value}`],
    ),
  }
}
