import { randomBytes } from "node:crypto"
import { createRequire } from "node:module"
import { test } from "vitest"
import type { EvaluationConfig } from "../config/config.ts"
import { validateConfig } from "../config/validate.ts"
import { systemClock } from "../core/clock.ts"
import { checkOptions, type OptionKinds } from "../core/options.ts"
import type { RunReport } from "../core/report/report.ts"
import { transformers } from "../encoders/embedder/transformers.ts"
import { type EvaluateResult, evaluate as evaluateConfig } from "../pipeline/evaluate.ts"
import { userCacheDirectory } from "../platform/user-cache-directory.ts"
import { calibrate } from "../providers/calibrate.ts"
import { openRunStore } from "../store/run-store.ts"

/** Options of {@link evaluate}. @public */
export interface EvaluateInTestOptions {
  /** Milliseconds that the test may take. Default: 300,000. */
  readonly timeoutMs?: number
  /**
   * What a rule of the gate that the samples cannot decide does to the test: `"fail"`, or `"pass"`, which leaves it to a larger run.
   * Default: `"fail"`.
   */
  readonly inconclusive?: "fail" | "pass"
  /** More assertions, over the report of the run. */
  readonly check?: (report: RunReport) => void | Promise<void>
}

const evaluateOptions: OptionKinds<EvaluateInTestOptions> = {
  timeoutMs: "number",
  inconclusive: "text",
  check: "function",
}

/**
 * A small evaluation as a test: the variants answer the samples, the metrics score them, and the config's `gate` is what the test
 * asserts. It fails with the rules that failed, the verdict, and the line that shows the run, which is in the same store as the runs of
 * `evalkit run`: `.evalkit` below the working directory, unless `directory` says otherwise. A run that is not finished fails, too.
 *
 * @param name of the test and, where the config has none, of the evaluation
 * @example
 * evaluate("answers stay right", {
 *   dataset: "questions.jsonl",
 *   variants: [variant({ name: "app", provider: fromFunction(answer) })],
 *   metrics: [exactMatch()],
 *   gate: [{ figure: "exactMatch", min: 0.8 }],
 * })
 * @public
 */
export function evaluate(name: string, config: EvaluationConfig, options: EvaluateInTestOptions = {}): void {
  checkOptions("evaluate", options, evaluateOptions)
  const { timeoutMs = 300_000, inconclusive = "fail", check } = options
  test(name, { timeout: timeoutMs }, async ({ signal }) => {
    const result = await run({ name, ...config }, signal)
    const faults = faultsOf(result, inconclusive === "fail")
    if (faults.length > 0) throw new Error(failureText(result, faults))
    await check?.(result.report)
  })
}

async function run(config: EvaluationConfig, signal: AbortSignal): Promise<EvaluateResult> {
  const evaluation = await validateConfig(config)
  const store = openRunStore(evaluation.directory)
  const cacheDirectory = userCacheDirectory(process.env)
  const opening = { clock: systemClock, environment: process.env, cacheDirectory, signal }
  try {
    return await evaluateConfig({
      ...opening,
      evaluation,
      store,
      calibrate: (load) => calibrate(load, evaluation.variants, opening),
      defaultEmbedder: transformers({ cacheDirectory }),
      facts: {
        id: randomBytes(4).toString("hex"),
        startedAt: new Date().toISOString(),
        versions: {
          evalkit: packageVersion(),
          node: process.versions.node,
          platform: `${process.platform}-${process.arch}`,
        },
        configPath: null,
      },
    })
  } finally {
    store.close()
  }
}

function faultsOf({ status, reason, report }: EvaluateResult, failsWhenOpen: boolean): readonly string[] {
  return [
    ...(status === "finished" ? [] : [`the run is ${status}: ${reason ?? "it did not end"}`]),
    ...report.gate
      .filter((rule) => rule.status === "failed" || (failsWhenOpen && rule.status === "inconclusive"))
      .map(({ status: ended, rule, variant, message }) => `${ended}: ${rule} (${variant}): ${message}`),
  ]
}

function failureText({ record, report }: EvaluateResult, faults: readonly string[]): string {
  return [
    ...faults,
    ...(report.decision ? [report.decision.sentence] : []),
    `see it with: evalkit view ${record.id}`,
  ].join("\n")
}

/** The version in package.json. */
function packageVersion(): string {
  return (createRequire(import.meta.url)("evalkit/package.json") as { readonly version: string }).version
}
