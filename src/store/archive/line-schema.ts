import { createHash } from "node:crypto"
import { z } from "zod"
import { toolOutcomes } from "../../core/episode/tool-outcome.ts"
import type { JsonValue } from "../../core/json.ts"
import { outcomes } from "../../core/outcome.ts"
import { isRunId } from "../../core/run/run-id.ts"
import { usageParts } from "../../core/usage.ts"
import { archiveFaults, expectedFields } from "../../words/reasons/archive.ts"

/** More repeats than anybody asks for: lists are made of them. */
const maxRepeats = 100_000

const count = z.number().int().nonnegative()
const name = z.string().min(1)
const numberOrNull = z.number().nullable()
const textOrNull = z.string().nullable()
const anyJson = z.custom<JsonValue>((value) => value !== undefined, "expected a value")
const jsonObject = z.record(z.string(), anyJson)
const time = z.string().refine((text) => text.length <= 40 && !Number.isNaN(Date.parse(text)), expectedFields.time)
const list = z.array(z.string())

const toolCall = z.looseObject({ name: z.string(), arguments: anyJson, id: z.string().optional() })

const bytesPart = { sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: count }
const part = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({
    ...bytesPart,
    type: z.literal("image"),
    mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    width: count,
    height: count,
  }),
  z.looseObject({ type: z.literal("image_url"), url: z.url({ protocol: /^https?$/ }) }),
  z.looseObject({
    ...bytesPart,
    type: z.literal("audio"),
    mediaType: z.enum(["audio/wav", "audio/mpeg"]),
    seconds: numberOrNull,
  }),
])

const message = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  parts: z.array(part).optional(),
  toolCalls: z.array(toolCall).optional(),
  toolCallId: z.string().optional(),
})

const sample = z.looseObject({
  id: name,
  input: z.union([z.string(), z.array(message), z.null()]),
  references: list,
  context: list,
  choices: list,
  expectedTools: z.array(toolCall),
  empty: z.array(z.enum(["context", "expectedTools"])).optional(),
  metadata: jsonObject,
  group: z.string().optional(),
  cluster: z.string().optional(),
  critical: z.boolean().optional(),
  turns: z.array(z.looseObject({ content: z.string(), references: list })).optional(),
  copyOf: z.looseObject({ id: name, kind: z.enum(["perturbed", "counterfactual"]), change: z.string() }).optional(),
})

const distinct = <Entry extends { readonly name: string }>(entries: readonly Entry[]): boolean =>
  new Set(entries.map((entry) => entry.name)).size === entries.length

const record = z.looseObject({
  id: z.string().refine(isRunId, expectedFields.runId),
  name: z.string(),
  startedAt: time,
  finishedAt: time.nullable(),
  mergedAt: time.optional(),
  status: z.enum(["running", "finished", "interrupted", "incomplete", "stopped"]),
  seed: z.number(),
  repeats: count.min(1).max(maxRepeats),
  margin: z.number(),
  marginKind: z.enum(["unit", "share"]).optional(),
  missing: z.enum(["worst", "drop"]).optional(),
  smallestGain: z.number().optional(),
  alpha: z.number().gt(0).lt(1),
  baseline: textOrNull,
  versions: z.record(z.string(), z.string()),
  configPath: textOrNull,
  config: jsonObject,
  dataset: z.looseObject({
    name: z.string(),
    source: z.string(),
    fingerprint: name,
    samples: count,
    skipped: z.array(z.looseObject({ where: z.string(), field: textOrNull, reason: z.string() })),
  }),
  variants: z
    .array(
      z.looseObject({
        name,
        model: z.string(),
        provider: z.string(),
        quantization: textOrNull,
        fingerprint: z.string(),
        privateFingerprint: z.string().optional(),
        priceSource: textOrNull,
      }),
    )
    .min(1)
    .refine(distinct, expectedFields.distinctNames),
  metrics: z
    .array(
      z.looseObject({
        name,
        signature: z.string(),
        direction: z.enum(["higher", "lower"]),
        range: z.tuple([numberOrNull, numberOrNull]),
        unit: textOrNull,
        primary: z.boolean(),
        aggregation: z.enum(["mean", "sum", "rows"]).optional(),
        recipe: z.looseObject({ metric: z.string(), options: jsonObject }).optional(),
      }),
    )
    .refine(distinct, expectedFields.distinctNames),
  plan: z.string(),
})

const usage = z.looseObject({
  promptTokens: numberOrNull,
  cachedPromptTokens: numberOrNull,
  completionTokens: numberOrNull,
  reasoningTokens: numberOrNull,
  ...Object.fromEntries(usageParts.map((name) => [name, z.number().optional()])),
  units: z.record(z.string(), z.number()).optional(),
  serviceTier: z.string().optional(),
  region: z.string().optional(),
  speed: z.string().optional(),
  chargedUsd: z.number().optional(),
})

const log = z.looseObject({
  scheduledMs: z.number(),
  sendMs: z.number(),
  connectMs: numberOrNull,
  headersMs: numberOrNull,
  events: z.array(
    z.looseObject({
      atMs: z.number(),
      kind: z.enum(["role", "reasoning", "content", "tool", "usage", "error", "done"]),
      tokens: numberOrNull,
      bytes: z.number(),
    }),
  ),
  endMs: z.number(),
  stalledMs: z.number().nonnegative().optional(),
  rateLimitWaitMs: z.number().nonnegative().optional(),
  outageWaitMs: z.number().nonnegative().optional(),
  endOnly: z.literal(true).optional(),
})

/** What is kept of an attempt: its log, its class and its use. */
export const attempt = z.looseObject({
  outcome: z.enum(outcomes),
  log,
  httpStatus: numberOrNull,
  failure: z.looseObject({ message: z.string(), code: z.string().optional() }).nullable(),
  usage,
})

const cost = z.discriminatedUnion("status", [
  z.looseObject({ status: z.literal("known"), usd: z.number(), parts: z.record(z.string(), z.number()) }),
  z.looseObject({ status: z.literal("unknown"), reason: z.string() }),
])

/** More steps than any agent may make. */
const maxSteps = 100_000

/** A call within an episode that is not the variant's: of a simulated user, or for a summary. */
const nonVariantCall = {
  turn: count,
  outcome: z.enum(outcomes),
  text: z.string(),
  usage,
  costUsd: numberOrNull,
  seconds: z.number(),
  failure: z.looseObject({ message: z.string(), code: z.string().optional() }).nullable(),
  servedModel: textOrNull,
  isReplayed: z.boolean().optional(),
}

const step = z.discriminatedUnion("kind", [
  attempt.extend({
    kind: z.literal("model"),
    turn: count,
    text: z.string(),
    reasoning: z.string(),
    toolCalls: z.array(toolCall),
    finishReason: textOrNull,
    retries: z.array(attempt),
    cost,
    servedModel: textOrNull,
    isReplayed: z.boolean().optional(),
    messages: count,
  }),
  z.looseObject({
    kind: z.literal("tool"),
    turn: count,
    asked: count,
    place: count,
    name: z.string(),
    arguments: anyJson,
    id: z.string(),
    outcome: z.enum([...toolOutcomes, "begun"]),
    result: z.string(),
    resultLength: count.optional(),
    startMs: z.number(),
    endMs: z.number(),
    isRepeated: z.boolean().optional(),
  }),
  z.looseObject({ kind: z.literal("user"), isOver: z.boolean(), ...nonVariantCall }),
  z.looseObject({ kind: z.literal("summary"), until: count, ...nonVariantCall }),
  z.looseObject({ kind: z.literal("restart"), reason: z.string() }),
])

const logprob = { token: z.string(), logprob: z.number() }

const generation = attempt.extend({
  variant: name,
  sampleId: name,
  repeat: count.max(maxRepeats),
  isCold: z.boolean().optional(),
  isTrial: z.boolean().optional(),
  batch: z.string().optional(),
  worker: z.string().optional(),
  source: z.enum(["measured", "replayed", "recorded", "foreign", "batch"]),
  segment: count,
  position: count,
  text: z.string(),
  reasoning: z.string(),
  toolCalls: z.array(toolCall),
  logprobs: z.array(z.looseObject({ ...logprob, top: z.array(z.looseObject(logprob)) })).nullable(),
  cutLogprobs: z.enum(["alternatives", "all"]).optional(),
  finishReason: textOrNull,
  isGivenText: z.boolean().optional(),
  servedModel: textOrNull,
  server: anyJson,
  retries: z.array(attempt),
  cost,
  episode: z
    .looseObject({
      steps: z.array(step).max(maxSteps),
      turns: count,
      state: anyJson.optional(),
      noState: z.string().optional(),
    })
    .optional(),
  given: z
    .looseObject({ confidence: z.number().optional(), correct: z.number().optional(), prediction: anyJson.optional() })
    .optional(),
})

const row = z.looseObject({
  variant: name,
  sampleId: name,
  repeat: count.max(maxRepeats),
  metric: name,
  value: numberOrNull,
  measured: z.discriminatedUnion("status", [
    z.looseObject({ status: z.literal("scored"), row: anyJson }),
    z.looseObject({ status: z.literal("unscored"), reason: z.string(), code: z.string().optional() }),
  ]),
})

const gpu = z.looseObject({
  peakMemoryBytes: numberOrNull,
  memoryAfterLoadBytes: numberOrNull.optional(),
  meanUtilisation: numberOrNull,
  energyJoules: numberOrNull,
  energyErrorJoules: numberOrNull.optional(),
  powerIsMean: z.boolean().optional(),
  slowedByHeat: z.number().optional(),
  slowedByPowerLimit: z.number().optional(),
  peakTemperatureCelsius: numberOrNull.optional(),
  powerLimitWatts: numberOrNull.optional(),
  names: list.optional(),
  count: count.optional(),
  driver: textOrNull.optional(),
  sharedWith: z.number().optional(),
  energyIsValid: z.boolean().optional(),
  energyReason: z.string().optional(),
  meanPowerWatts: numberOrNull.optional(),
})

const serverTotals = z.looseObject({
  dialect: z.string(),
  restarted: z.boolean(),
  sums: z.record(z.string(), z.looseObject({ value: z.number(), count: z.number() })),
  gauges: z.record(z.string(), z.looseObject({ sum: z.number(), n: count, most: z.number() })),
  buckets: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  client: z
    .looseObject({
      requests: count,
      failed: count.optional(),
      answers: count,
      ttftMs: z.number(),
      e2eMs: z.number(),
    })
    .optional(),
})

const state = z.looseObject({
  served: jsonObject.optional(),
  resources: z
    .looseObject({
      peakRssBytes: numberOrNull,
      rssOverIdleBytes: numberOrNull,
      cpuSeconds: numberOrNull,
      gpu: gpu.nullable(),
      cpuEnergy: z
        .looseObject({
          joules: numberOrNull,
          errorJoules: numberOrNull,
          reason: textOrNull,
          source: z.string().optional(),
        })
        .optional(),
      servingMs: z.number().optional(),
      modelBytes: numberOrNull,
      loadMs: numberOrNull,
      downloadMs: numberOrNull.optional(),
      firstTokenMs: numberOrNull.optional(),
      contextTokens: numberOrNull.optional(),
      reason: textOrNull,
    })
    .nullable(),
  server: serverTotals.optional(),
  notes: list,
  failure: textOrNull,
  givenUp: z.string().optional(),
})

const call = z.looseObject({
  variant: name,
  purpose: z.string(),
  key: z.string(),
  requests: count,
  costUsd: numberOrNull,
  asideUsd: numberOrNull,
  asideTokens: z.number().optional(),
  tokens: numberOrNull,
  seconds: z.number(),
  at: time,
})

const label = z.looseObject({
  variant: name,
  sampleId: name,
  repeat: count.max(maxRepeats),
  metric: name,
  score: z.number(),
  labeller: z.string(),
  drawn: z.enum(["doubt", "chance"]),
  policy: z.string().optional(),
  role: z.literal("last_word").optional(),
  at: time,
})

function hashOf(base64: string): string {
  return createHash("sha256").update(Buffer.from(base64, "base64")).digest("hex")
}

/** What a line of each kind must be. Fields that are not named here are let through: a newer evalkit may add some. */
export const lineSchemas = {
  run: z.looseObject({ format: z.literal(2), record }),
  sample: z.looseObject({ sample }),
  media: z
    .looseObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), base64: z.base64() })
    .refine(({ sha256, base64 }) => hashOf(base64) === sha256, { error: archiveFaults.otherBytes, path: ["sha256"] }),
  generation: z.looseObject({ generation }),
  row: z.looseObject({ row }),
  attempt: z.looseObject({
    attempt: z.looseObject({ variant: name, sampleId: name, repeat: count.max(maxRepeats), attempt }),
  }),
  step: z.looseObject({
    step: z.looseObject({
      variant: name,
      sampleId: name,
      repeat: count.max(maxRepeats),
      number: count.max(maxSteps),
      step,
    }),
  }),
  variant: z.looseObject({ name, state }),
  event: z.looseObject({ event: z.looseObject({ at: time, kind: z.string(), data: jsonObject }) }),
  label: z.looseObject({ label }),
  call: z.looseObject({ call }),
  report: z.looseObject({ report: z.looseObject({ run: z.looseObject({ id: z.string() }) }) }),
  end: z.looseObject({ lines: count, sha256: z.string() }),
} as const
