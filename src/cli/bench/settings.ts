import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { BenchMode } from "../../bench/bench-mode.ts"
import type { SyntheticPrompts } from "../../bench/prompts.ts"
import { parseBudget } from "../../config/budget.ts"
import { UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { isObject, jsonValue } from "../../core/json-members.ts"
import type { CaptureSettings, HttpVersion } from "../../core/provider.ts"
import type { Budget } from "../../core/run/evaluation.ts"
import { parseSlo, type Slo } from "../../perf/bench/slo.ts"
import { parseTrace, type TraceEntry } from "../../perf/load/trace.ts"
import type { Args } from "../command.ts"
import { readMode } from "./mode.ts"
import { numbers, positive, share } from "./option-values.ts"

/** What the command line asks for, read and checked. */
export interface BenchSettings {
  readonly mode: BenchMode
  /** The variants are settings of a server, and one is chosen. */
  readonly chooses: boolean
  readonly slo: readonly Slo[]
  /** Lengths of prompts and answers, of a trace that is replayed or only sampled for them. */
  readonly lengths: readonly TraceEntry[] | null
  /** Synthetic prompts and answers of an endpoint without a data set. */
  readonly prompts: Pick<SyntheticPrompts, "promptTokens" | "maxTokens" | "sharedPrefix" | "fixedLength">
  /** Sent in every request to an endpoint without a config. */
  readonly extraBody: JsonObject
  /** How requests are captured. */
  readonly capture: CaptureSettings
  /** Whether the answers to a config's samples are scored. */
  readonly score: boolean
  readonly warmUp: boolean
  readonly calibrate: boolean
  readonly blocks: number | null
  readonly seed: number
  readonly budget: Budget | null
  /** Traffic to project a bill for; null: none. */
  readonly queriesPerMonth: number | null
  /** Share of requests that must be answered: what the error budget is counted against. */
  readonly availabilityTarget: number
}

/** @throws UsageError for numbers that cannot be used, and for options that exclude each other */
export function readSettings(args: Args, cwd: string): BenchSettings {
  const slo = typeof args.slo === "string" ? parseSlo(args.slo) : []
  const trace = typeof args.trace === "string" ? readTrace(args.trace, cwd) : null
  const seed = Number(args.seed ?? 1)
  return {
    mode: readMode(args, trace, slo, seed),
    chooses: args.tune === true,
    slo,
    lengths: typeof args.lengths === "string" ? readTrace(args.lengths, cwd) : trace,
    seed,
    budget: typeof args.budget === "string" ? parseBudget(args.budget, "--budget") : null,
    queriesPerMonth:
      args.queriesPerMonth === undefined ? null : positive(args.queriesPerMonth, "--queries-per-month", 1, 1e12),
    availabilityTarget: share(args.availabilityTarget ?? 0.999, "--availability-target"),
    prompts: {
      promptTokens: numbers(args.promptTokens ?? 64, "--prompt-tokens", 1, 1e6).map(Math.round),
      maxTokens: numbers(args.maxTokens ?? 128, "--max-tokens", 1, 1e6).map(Math.round),
      fixedLength: args.fixedLength !== false,
      sharedPrefix: args.sharedPrefix === undefined ? 0 : share(args.sharedPrefix, "--shared-prefix"),
    },
    extraBody: readExtraBody(args),
    capture: readCapture(args),
    score: args.score !== false,
    warmUp: args.warmUp !== false,
    calibrate: args.calibrate !== false,
    blocks: args.blocks === undefined ? null : positive(args.blocks, "--blocks"),
  }
}

function readExtraBody({ extraBody }: Args): JsonObject {
  if (extraBody === undefined) return {}
  const value = jsonValue(String(extraBody), null)
  if (isObject(value)) return value
  throw new UsageError("--extra-body must be a JSON object", {
    where: String(extraBody).slice(0, 80),
    hint: "for example '{\"top_k\": 1}'",
  })
}

export const httpVersions = ["auto", "1.1", "2"] as const satisfies readonly HttpVersion[]

function readCapture(args: Args): CaptureSettings {
  const { transport = "undici", captureThreads, httpVersion } = args
  const threads = captureThreads === undefined || captureThreads === "auto" ? "auto" : Number(captureThreads)
  if (transport === "sdk") {
    if (captureThreads !== undefined)
      throw new UsageError("--capture-threads needs the undici transport", { where: "--transport sdk" })
    if (httpVersion === "2")
      throw new UsageError("--http-version 2 needs the undici transport", { where: "--transport sdk" })
    return { transport, threads: 0 }
  }
  if (threads !== "auto" && !(Number.isInteger(threads) && threads >= 0 && threads <= 64))
    throw new UsageError("--capture-threads must be auto or a whole number from 0 to 64", {
      where: String(captureThreads).slice(0, 40),
    })
  const version = httpVersions.find((entry) => entry === httpVersion)
  return { transport: "undici", threads, ...(version && { httpVersion: version }) }
}

function readTrace(path: string, cwd: string): readonly TraceEntry[] {
  const full = resolve(cwd, path)
  let text: string
  try {
    text = readFileSync(full, "utf8")
  } catch (cause) {
    throw new UsageError("the trace cannot be read", { where: path, cause })
  }
  return parseTrace(text, path)
}
