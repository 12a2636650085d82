import { contentHash } from "../../src/core/json.ts"
import type { Receipt, ReceiptCandidate, ReceiptDifference } from "../../src/core/report/receipt.ts"
import { triesWords } from "../../src/wording/sections/retry.ts"
import { dayWords } from "../../src/words/day.ts"
import { readableName } from "../../src/words/metric.ts"
import { listed } from "../../src/words/names.ts"
import { amount, count, counted, withSign } from "../../src/words/number.ts"
import { errorText } from "../../src/words/percent.ts"
import { plainText } from "../../src/words/text.ts"
import { changeWords } from "./frozen-plan.ts"
import { verdictWords } from "./verdict-words.ts"

/** Samples that are named; more are counted. */
const maxNamed = 5

/**
 * A receipt in one line, to paste.
 *
 * @example "evalkit receipt 5c1f09ab77e2: SWAP f16 by q4 (exact match -0.01, at worst -0.03, 60 pairs) · run 7f3a · 12 November 2026 · plan 0f3c9d · signed"
 */
export function receiptLine(receipt: Receipt): string {
  const { run, plan, candidates, baseline, signature, decides } = receipt
  const { retry } = run
  return [
    `evalkit receipt ${contentHash(receipt, 12)}: ${candidates.map((candidate) => candidateWords(candidate, baseline)).join("; ")}`,
    `run ${run.id}${run.status === "finished" ? "" : ` (${run.status})`}`,
    ...(retry ? [`${triesWords(retry.triesBefore, retry.prompts)}, decided at ${errorText(decides.alpha)}`] : []),
    dayWords(run.finishedAt ?? run.startedAt),
    plan === null ? "no plan" : `plan ${plan.sha256.slice(0, 12)}${plan.isKept ? "" : ", not kept"}`,
    signature === null ? "not signed" : `signed by ${keyName(signature.publicKey)}`,
  ].join(" \u00b7 ")
}

/** "SWAP f16 by q4 (exact match -0.01, at worst -0.03, 60 pairs)". */
export function candidateWords({ candidate, verdict, metrics }: ReceiptCandidate, baseline: string): string {
  const metric = metrics.find(({ primary }) => primary)
  const number = (value: number | null) => (value === null ? "unknown" : withSign(amount(value)))
  const figures = metric
    ? ` (${readableName(metric.metric)} ${number(metric.difference)}, at worst ${number(metric.worst)}, ${counted(metric.pairs, "pair")})`
    : ""
  return `${verdictWords[verdict]} ${plainText(baseline, 60)} by ${plainText(candidate, 60)}${figures}`
}

/** How a public key is called: the first digits of the hash of its base64. */
export function keyName(publicKey: string): string {
  return `key ${contentHash(publicKey, 12)}`
}

/** What a receipt and a run differ in, a sentence without its end. */
export function receiptDifferenceWords(difference: ReceiptDifference): string {
  const { about, of, keys, before, after, samples = [] } = difference
  const short = (value: string | null) => plainText(value ?? "nothing", 40)
  const now = `${short(after)} instead of ${short(before)}`
  switch (about) {
    case "signature":
      return signatureWords[keys[0] as keyof typeof signatureWords]
    case "answers":
      return `answers of ${plainText(of ?? "", 60)} changed${among(samples)}`
    case "samples":
      return `questions, references or fields of samples changed${among(samples)}`
    case "scores":
      return `scores of ${readableName(of ?? "")} changed`
    case "figure":
    case "plan":
    case "run":
      return `${about} ${plainText(keys.map((key) => readableName(key)).join(": "), 120)}: ${now}`
    default:
      return changeWords({ ...difference, about })
  }
}

const signatureWords = {
  missing: "it is not signed",
  publicKey: "it is signed by another key than yours",
  value: "the signature is not that of this receipt",
} as const

function among(samples: readonly string[]): string {
  if (samples.length === 0) return ""
  const more = samples.length - maxNamed
  return `: ${listed([...samples.slice(0, maxNamed).map((id) => plainText(id, 60)), ...(more > 0 ? [`${count(more)} more`] : [])])}`
}

/** What `verify` says first. */
export function verifiedWords(receipt: Receipt, compared: string | null, differences: number): string {
  const { signature } = receipt
  if (differences > 0) return `The receipt does not hold: ${counted(differences, "difference")}.`
  const signed = signature === null ? "It is not signed." : `Its signature is that of ${keyName(signature.publicKey)}.`
  return compared === null
    ? `The receipt is whole; its verdict was not computed again, since no run or archive was named. ${signed}`
    : `The receipt holds: verdict and figures are the same, computed again from ${compared}. ${signed}`
}
