import { readFile, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { z } from "zod"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { Receipt } from "../../core/report/receipt.ts"
import { isRunId } from "../../core/run/run-id.ts"

/** A receipt is small: digests are bounded, and the settings of a run with many variants take some kilobytes. */
const maxBytes = 4 * 2 ** 20
const maxDepth = 24
/** Names that an object inherits: a receipt of ours never has them. */
const inherited: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

const text = z.string().max(100_000)
const name = z.string().min(1).max(1000)
const sha256 = z.string().regex(/^[0-9a-f]{32,64}$/)
const time = z.iso.datetime()
const base64 = z.base64().max(1000)
const numberOrNull = z.number().nullable()
const json = z.record(z.string(), z.unknown())
const named = z.array(z.looseObject({ name })).max(10_000)

const candidate = z.strictObject({
  candidate: name,
  verdict: z.enum(["swap", "keep", "inconclusive", "not_comparable", "invalid"]),
  basis: name,
  quality: name,
  critical: z.int().min(0),
  metrics: z.array(
    z.strictObject({
      metric: name,
      primary: z.boolean(),
      pairs: z.int().min(0),
      margin: z.number(),
      verdict: name,
      baseline: numberOrNull,
      candidate: numberOrNull,
      difference: numberOrNull,
      low: numberOrNull,
      high: numberOrNull,
      worst: numberOrNull,
    }),
  ),
  performance: z.array(z.strictObject({ figure: name, value: numberOrNull, n: z.int().min(0) })),
  limits: z.array(z.strictObject({ limit: name, state: name })),
  breaks: z.array(z.strictObject({ metric: name, broken: z.int().min(0) })),
})

const receipt = z.strictObject({
  schema: z.literal("evalkit.receipt/1"),
  run: z.strictObject({
    id: z.string().refine(isRunId),
    startedAt: time,
    finishedAt: time.nullable(),
    status: name,
    versions: z.record(z.string(), text),
    retry: z
      .strictObject({
        of: name,
        first: name,
        base: name,
        firstAlpha: z.number().min(0).max(1),
        triesBefore: z.int().min(1),
        prompts: z.int().min(1),
        earlierPrompts: z.int().min(0),
      })
      .optional(),
  }),
  baseline: name,
  candidates: z.array(candidate).min(1),
  plan: z.strictObject({ frozenAt: time, sha256, isKept: z.boolean() }).nullable(),
  decides: z.looseObject({
    dataset: z.looseObject({ name: text, fingerprint: name, samples: z.int().min(0) }),
    config: json,
    variants: named,
    metrics: named,
    margin: z.number(),
    alpha: z.number(),
  }),
  answers: z.array(z.strictObject({ variant: name, sha256, costUsd: numberOrNull })),
  scores: z.array(z.strictObject({ metric: name, sha256 })),
  samples: z.strictObject({ perDigest: z.int().min(1), digests: z.string().regex(/^(?:[0-9a-f]{8})*$/) }),
  signature: z.strictObject({ algorithm: z.literal("Ed25519"), publicKey: base64, value: base64 }).nullable(),
})

/**
 * Reads a receipt that anybody may have written.
 *
 * @throws {UsageError} `receipt_invalid` with the field: too large, no JSON, of another form or algorithm, or with names that objects inherit
 */
export async function readReceipt(file: string, cwd: string): Promise<Receipt> {
  const refuse = (why: string) =>
    new UsageError(`this is no receipt of evalkit: ${why}`, {
      code: "receipt_invalid",
      where: file,
      hint: "make one with: evalkit receipt RUN -o FILE",
    })
  const path = resolve(cwd, file)
  const facts = await stat(path).catch((error: unknown) => {
    throw refuse(messageOf(error))
  })
  if (!facts.isFile()) throw refuse("it is no file")
  if (facts.size > maxBytes) throw refuse(`it is larger than ${maxBytes / 2 ** 20} MiB`)
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, "utf8"))
  } catch (error) {
    throw refuse(messageOf(error))
  }
  const strange = strangeName(value, 0)
  if (strange !== null) throw refuse(strange)
  const issue = receipt.safeParse(value).error?.issues[0]
  if (issue) throw refuse(`${issue.path.join(".")}: ${issue.message.replace(/^Invalid input: /, "")}`)
  return value as Receipt
}

/** Why no value of ours looks so; null where it may. */
function strangeName(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null) return null
  if (depth > maxDepth) return `it is nested more than ${maxDepth} levels deep`
  for (const [key, member] of Object.entries(value)) {
    const fault = inherited.has(key) ? `a field is named ${key}` : strangeName(member, depth + 1)
    if (fault !== null) return fault
  }
  return null
}
