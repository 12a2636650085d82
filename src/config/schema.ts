import { z } from "zod"
import type { Dataset } from "../core/dataset.ts"
import type { EpisodeDesign } from "../core/episode/design.ts"
import type { JsonObject } from "../core/json.ts"
import { isObject } from "../core/json-members.ts"
import { oneAnswerAdvice, providerMembers, severalAnswersField } from "../core/known-options.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { PairMetric } from "../core/metric/pair-metric.ts"
import type { Provider } from "../core/provider.ts"
import type { ReportRenderer } from "../core/report/report-renderer.ts"
import type { StoreSource } from "../core/run/store-source.ts"
import type { Sample } from "../core/sample.ts"
import type { Prompt } from "../core/variant.ts"
import { isEpisodeDesign } from "./episode.ts"
import { made } from "./made.ts"
import { price } from "./price-schema.ts"
import { isPrompt } from "./prompt.ts"
import { object } from "./strict-object.ts"

/** Of the variants of one config: more are nothing that a person compares. */
const maxVariants = 1000
const positive = z.number().positive()
const count = z.int().positive()
const share = z.number().min(0).max(1)
const jsonObject = z.record(z.string(), z.json())
const text = z.string().min(1)

const provider = made<Provider>(
  'a provider such as openai({ model: "..." }) or local("model.gguf")',
  { open: "function", identity: "object" },
  providerMembers,
  { traits: "object", quantization: "text", price: "price" },
)
const figures = { measure: "function", summarise: "function" } as const
const metric = made<AnyMetric>(
  "a metric such as exactMatch() (a call, not the function itself)",
  figures,
  {
    name: "text",
    signature: "text",
    direction: "direction",
    range: "range",
    aggregation: "aggregation",
    value: "function",
  },
  {
    unit: "text",
    note: "text",
    dependsOn: "texts",
    asks: "list",
    asksAbout: "function",
    meters: "list",
    needs: "object",
    section: "function",
    prepare: "function",
    close: "function",
    recipe: "json",
  },
)
const pairMetric = made<PairMetric>(
  "a pair metric such as divergence()",
  figures,
  { name: "text", signature: "text", range: "range", value: "function" },
  { aggregation: "aggregation", needs: "object" },
)
const storeSource = made<StoreSource>("a store such as postgres(url)", { location: "text", open: "function" })
const rendererMembers = { name: "text", extension: "text", binary: "boolean", render: "function" } as const
const reportRenderer = made<ReportRenderer>(
  "a report such as renderers.html() or { name, extension, binary, render }",
  rendererMembers,
).superRefine(({ name, extension }, context) => {
  const expect = (field: string, text: unknown, pattern: RegExp, message: string) => {
    if (typeof text === "string" && !pattern.test(text)) context.addIssue({ code: "custom", path: [field], message })
  }
  expect("name", name, /^[a-z][a-z0-9-]{0,39}$/, "a name of lower-case letters, digits and '-'")
  expect(
    "extension",
    extension,
    /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/,
    "an ending such as html or answers.csv, without a folder or a point in front",
  )
})
const datasetValue = made<Dataset>(
  "a dataset",
  { samples: "function", fingerprint: "function" },
  { name: "text", source: "text", skipped: "function" },
  { resolveFrom: "function" },
)
const row = z.custom<JsonObject>((value) => isObject(value), {
  error: () => "a row (an object)",
})
const promptValue = z.custom<Prompt>(isPrompt, { error: () => 'a template such as "{{input}}", or prompt(...)' })

const tool = object({
  name: text,
  description: z.string().optional(),
  parameters: jsonObject,
})

const parameters = object({
  temperature: z.number().min(0).optional(),
  topP: share.optional(),
  maxTokens: count.optional(),
  stop: z.array(z.string()).optional(),
  seed: z.int().optional(),
  effort: text.optional(),
  topLogprobs: z.int().min(0).max(1000).optional(),
  tools: z.array(tool).optional(),
  jsonSchema: object({ name: text, schema: jsonObject }).optional(),
  structured: z.enum(["schema", "json", "prompt"]).optional(),
  extra: jsonObject
    .refine((body) => severalAnswersField(body) === null, { error: `no n or best_of above 1: ${oneAnswerAdvice}` })
    .optional(),
}).refine(({ structured, jsonSchema }) => structured === undefined || jsonSchema !== undefined, {
  error: "jsonSchema beside structured: the form that is asked for",
})

const sweepValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

const variant = object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, "a name of letters, digits, '.', '_' and '-'")
    .optional(),
  provider,
  prompt: z.union([z.string(), promptValue]).optional(),
  parameters: parameters.optional(),
  price: price.nullable().optional(),
  limits: object({
    concurrency: count.optional(),
    requestsPerMinute: positive.optional(),
    tokensPerMinute: positive.optional(),
  }).optional(),
  tools: z.array(tool).optional(),
  episode: z
    .custom<EpisodeDesign>(isEpisodeDesign, { error: () => "what episode({ tools, maxSteps }) makes" })
    .optional(),
  sweep: object({
    of: text,
    point: z.record(z.string(), sweepValue),
    axes: z.record(z.string(), z.array(sweepValue)),
  }).optional(),
}).refine(({ tools, episode }) => tools === undefined || episode === undefined, {
  error: "tools or episode: the tools of an episode stand in episode({ tools })",
})

const gateRule = object({
  figure: text,
  min: z.number().optional(),
  max: z.number().optional(),
  notWorseThanBaselineBy: z.number().min(0).optional(),
  variants: z.array(text).optional(),
}).refine((rule) => rule.min !== undefined || rule.max !== undefined || rule.notWorseThanBaselineBy !== undefined, {
  error: "a limit: min, max or notWorseThanBaselineBy",
})

/** The shape of {@link EvaluationConfig}; what needs several fields at once is checked in `validateConfig`. */
export const configSchema = object({
  name: text.optional(),
  dataset: z.union([text, z.array(row), datasetValue]).optional(),
  variants: z.array(variant).max(maxVariants).optional(),
  metrics: z.array(metric).optional(),
  pairMetrics: z.array(pairMetric).optional(),
  primary: z.union([text, z.array(text).min(1)]).optional(),
  baseline: text.optional(),
  margin: z.number().min(0).optional(),
  missing: z.enum(["worst", "drop"]).optional(),
  smallestGain: z.number().min(0).lt(1).optional(),
  timeLimitMs: z.number().positive().optional(),
  alpha: z.number().gt(0).lt(1).optional(),
  energy: object({
    usdPerKwh: z.number().min(0).max(1000).optional(),
    gramsCo2PerKwh: z.number().min(0).max(10_000).optional(),
    source: text,
  }).optional(),
  difficultyFrom: z.array(text).optional(),
  critical: z
    .union([
      z.custom<(sample: Sample) => boolean>((value) => typeof value === "function"),
      z.record(z.string(), z.json()),
    ])
    .optional(),
  breaks: z
    .array(
      z.union([
        text,
        object({
          metric: text,
          min: z.number().optional(),
          max: z.number().optional(),
          allowed: z.int().min(0).optional(),
        }),
      ]),
    )
    .optional(),
  slices: z.array(text).max(50).optional(),
  repeats: count.optional(),
  seed: z.int().optional(),
  concurrency: count.optional(),
  timeouts: object({
    connectMs: positive.optional(),
    firstTokenMs: positive.optional(),
    gapMs: positive.optional(),
    totalMs: positive.optional(),
  }).optional(),
  retry: z
    .union([
      z.literal(false),
      z.int().min(0),
      object({
        retries: z.int().min(0).optional(),
        baseDelayMs: z.number().min(0).optional(),
        maxDelayMs: z.number().min(0).optional(),
      }),
    ])
    .optional(),
  budget: z
    .union([
      text,
      object({
        usd: positive.optional(),
        tokens: positive.optional(),
        requests: positive.optional(),
        minutes: positive.optional(),
      }),
    ])
    .optional(),
  batch: z
    .union([z.boolean(), object({ liveShare: share.lt(1).optional(), pollSeconds: positive.optional() })])
    .optional(),
  cache: z.boolean().optional(),
  axes: z.array(text).min(1).optional(),
  constraints: z.array(text).optional(),
  gate: z.array(gateRule).optional(),
  reports: z.array(reportRenderer).optional(),
  store: storeSource.optional(),
  directory: text.optional(),
})

/** What the schema lets through. */
export type ParsedConfig = z.infer<typeof configSchema>
