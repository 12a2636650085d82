import { receiptRules } from "../../../reports/wording/receipt-gate.ts"
import { decidingDifferences } from "../../analyse/summary/run-difference.ts"
import { loadConfig } from "../../config/load.ts"
import { retryEvaluation } from "../../config/retry-evaluation.ts"
import { UsageError } from "../../core/errors.ts"
import type { GateResult } from "../../core/report/decision.ts"
import type { Receipt, ReceiptRetry } from "../../core/report/receipt.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { listed } from "../../words/names.ts"
import { counted } from "../../words/number.ts"
import { parseDuration } from "../bench/option-values.ts"
import type { Args, CommandIo } from "../command.ts"
import { promptText } from "../files/prompt-text.ts"
import { listOption } from "../list-option.ts"
import { loadOptions } from "../load-options.ts"
import { factsOfConfig } from "../run/freeze-plan.ts"
import { readReceipt } from "./read-receipt.ts"
import { readKey } from "./receipt.ts"
import { signatureFaults } from "./signature.ts"

/** Options of `evalkit gate` that ask for figures of a run, and so for no receipt. */
const ofRuns = ["run", "baseline", "min", "max", "not-worse", "junit"] as const

/**
 * Whether a receipt still lets a swap through: its verdict is a swap, it is young enough, it is signed as it must be, and data set, prompts,
 * parameters and models are those that the config states now.
 *
 * @throws {UsageError} for what is no receipt, and for options that ask for a run
 */
export async function gateOfReceipt(
  args: Args,
  io: CommandIo,
): Promise<{ readonly receipt: Receipt; readonly results: readonly GateResult[] }> {
  const other = ofRuns.find((name) => args[name] !== undefined)
  if (other !== undefined)
    throw new UsageError(`--receipt and ${other === "run" ? "a run" : `--${other}`} do not go together`, {
      hint: "a receipt is checked without its run: leave one of them out",
    })
  const receipt = await readReceipt(String(args.receipt), io.cwd)
  const names = listOption(args.variant)
  const candidates = receipt.candidates.filter(({ candidate }) => names.length === 0 || names.includes(candidate))
  const unknown = names.find((name) => !candidates.some(({ candidate }) => candidate === name))
  if (unknown !== undefined)
    throw new UsageError(`the receipt has no candidate "${unknown}"`, {
      where: "--variant",
      hint: `choose from: ${receipt.candidates.map(({ candidate }) => candidate).join(", ")}`,
    })
  const key = args.publicKey === undefined ? null : String(args.publicKey)
  const { evaluation } = await loadConfig(args.config as string | undefined, loadOptions(io))
  const sides = new Set([receipt.baseline, ...candidates.map(({ candidate }) => candidate)])
  const judged = receipt.run.retry ? asRetried(evaluation, receipt.run.retry, candidates, args, io) : evaluation
  const changes = decidingDifferences(receipt.decides, await factsOfConfig(judged, io)).filter(
    ({ about, of, keys }) => about === "data" || (about === "variant" && sides.has(of ?? "") && keys[0] !== "price"),
  )
  const results = receiptRules(receipt, {
    candidates,
    changes,
    now: Date.now(),
    maxAgeMs: args.youngerThan === undefined ? null : parseDuration(String(args.youngerThan)),
    signature: signatureFaults(receipt, key === null ? null : { pem: await readKey(key, io.cwd), where: key }),
  })
  return { receipt, results }
}

/** The candidates with the changed prompts that they are given now, from their files. */
function asRetried(
  evaluation: Evaluation,
  { of, base, earlierPrompts, triesBefore, firstAlpha }: ReceiptRetry,
  candidates: Receipt["candidates"],
  args: Args,
  io: CommandIo,
): Evaluation {
  const texts = listOption(args.prompt).map((file) => promptText(file, io))
  if (texts.length !== earlierPrompts + candidates.length)
    throw new UsageError("the receipt is of changed prompts, which the config does not hold", {
      where: listed(candidates.map(({ candidate }) => candidate)),
      hint: `name ${counted(earlierPrompts + candidates.length, "file")} of them with --prompt, in the order of the retries`,
    })
  const changed = candidates.map(({ candidate }, i) => ({
    variant: candidate,
    text: texts[earlierPrompts + i] as string,
  }))
  return retryEvaluation(evaluation, {
    of,
    base,
    candidate: base,
    triesBefore,
    firstAlpha,
    prompts: changed,
    baseTexts: texts.slice(0, earlierPrompts),
  })
}
