import { z } from "zod"
import { object } from "./strict-object.ts"

const rate = z.number().min(0)
const positive = z.number().positive()
const share = z.number().min(0).max(1)
const dated = { source: z.string(), date: z.string() }

/** Rates per million tokens, by class; only the first two must be stated. */
const rates = {
  inputPerMillion: rate,
  outputPerMillion: rate,
  cachedInputPerMillion: rate.nullable().optional(),
  cacheWrite5mPerMillion: rate.optional(),
  cacheWrite1hPerMillion: rate.optional(),
  cacheWritePerMillion: rate.optional(),
  audioInputPerMillion: rate.optional(),
  cachedAudioInputPerMillion: rate.optional(),
  imageInputPerMillion: rate.optional(),
  cachedImageInputPerMillion: rate.optional(),
  videoInputPerMillion: rate.optional(),
  cachedVideoInputPerMillion: rate.optional(),
  audioOutputPerMillion: rate.optional(),
  imageOutputPerMillion: rate.optional(),
  reasoningPerMillion: rate.optional(),
}

const tieredRates = {
  ...rates,
  longPrompts: z.array(object({ aboveTokens: z.int().positive(), ...rates })).optional(),
}

const measured = object({
  file: z.string(),
  requestsPerSecond: positive,
  low: positive.nullable(),
  high: positive.nullable(),
  objectives: z.array(z.string()).min(1),
})

const capacity = {
  requestsPerSecond: positive.optional(),
  tokensPerSecond: positive.optional(),
  capacity: z.union([z.string(), measured]).optional(),
}

const factors = z.record(z.string(), rate)

const tokenPrice = object({
  kind: z.literal("tokens"),
  ...tieredRates,
  batchDiscount: share.optional(),
  serviceTiers: z.record(z.string(), z.union([rate, object(tieredRates)])).optional(),
  regions: factors.optional(),
  speeds: factors.optional(),
  unitFees: factors.optional(),
  perRequestUsd: rate.optional(),
  minimumUsd: rate.optional(),
  ...dated,
})

/** A variant's price: the shapes of `Price`. */
export const price = z.discriminatedUnion("kind", [
  tokenPrice,
  object({
    kind: z.literal("hourly"),
    usdPerHour: rate,
    instances: positive,
    utilisation: share,
    ...capacity,
    ...dated,
  }),
  object({
    kind: z.literal("owned"),
    purchaseUsd: rate,
    lifeHours: positive,
    watts: rate,
    usdPerKwh: rate,
    utilisation: share,
    ...capacity,
    ...dated,
  }),
  object({
    kind: z.literal("electricity"),
    watts: rate,
    usdPerKwh: rate,
    utilisation: share.optional(),
    ...capacity,
    ...dated,
  }),
])
