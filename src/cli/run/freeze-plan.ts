import { existsSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { decidingFacts } from "../../analyse/summary/run-difference.ts"
import { defaultPlanFile, freezePlan, planEnding } from "../../config/plan-file.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { DecidingFacts } from "../../core/report/frozen-plan.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { writeOutput } from "../../platform/output-file.ts"
import { prepareDataset, withMetricNeeds } from "../../run/prepare.ts"
import { datasetRecord, statedFacts, variantRecord } from "../../run/run-record.ts"
import { dayWords } from "../../words/day.ts"
import type { Args, CommandIo } from "../command.ts"
import { loadEvaluation } from "./run-once.ts"

/**
 * Writes down what will decide the runs of a config, before the first of them: beside the config, where runs find it. Nothing is asked.
 *
 * @param name the file; empty: evalkit.plan.json
 * @throws {UsageError} where a plan is frozen already
 */
export async function freezeConfig(name: string, args: Args, io: CommandIo): Promise<number> {
  const { path, evaluation: stated } = await loadEvaluation(args, io)
  const file = name === "" ? join(dirname(path), defaultPlanFile) : resolve(io.cwd, name)
  if (dirname(file) !== dirname(path) || !file.endsWith(planEnding))
    throw new UsageError(`a plan lies beside its config, and its name ends in ${planEnding}`, {
      where: `--freeze ${name}`,
      hint: `write --freeze ${relative(io.cwd, join(dirname(path), defaultPlanFile))}`,
    })
  const { frozenPlan } = stated
  if (frozenPlan || existsSync(file))
    throw new UsageError(frozenPlan ? "a plan is frozen for this config already" : "the file exists already", {
      code: "file_exists",
      where: frozenPlan ? dayWords(frozenPlan.frozenAt) : relative(io.cwd, file),
      hint: "what was frozen stays; remove the file before a new series of runs, or name another one",
    })
  const facts = await factsOfConfig(stated, io)
  const plan = freezePlan(path, facts, new Date().toISOString())
  await writeOutput(file, (write) => write(`${JSON.stringify(plan, null, 2)}\n`), io.signal)
  io.out(
    args.json
      ? `${JSON.stringify(plan)}\n`
      : `plan ${plan.sha256.slice(0, 12)} is frozen in ${relative(io.cwd, file)}\n`,
  )
  io.err(
    "evalkit: commit it before the first run: its date is what it says of itself, a commit has others as witnesses\n",
  )
  return ExitCode.ok
}

/** What will decide a run of an evaluation that starts now; its data set is read, nobody is asked. */
export async function factsOfConfig(stated: Evaluation, { signal }: Pick<CommandIo, "signal">): Promise<DecidingFacts> {
  const evaluation = withMetricNeeds(stated)
  const dataset = datasetRecord(await prepareDataset(evaluation, null, undefined, signal))
  const variants = evaluation.variants.map((variant) => variantRecord(variant, null))
  return decidingFacts({ ...statedFacts(evaluation), dataset, variants })
}
