import { relative, resolve } from "node:path"
import { benchCsv } from "../../../reports/bench/csv.ts"
import { benchHtml } from "../../../reports/bench/html.ts"
import { benchJson } from "../../../reports/bench/json.ts"
import { benchMarkdown } from "../../../reports/bench/markdown.ts"
import { benchText } from "../../../reports/bench/text.ts"
import { loadWords } from "../../../reports/bench/words/level-words.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { BenchResult } from "../../perf/bench/bench-result.ts"
import { type MostlyLost, mostlyLost } from "../../perf/bench/mostly-lost.ts"
import { workloadProfiles } from "../../perf/load/profiles.ts"
import { checkOutput, writeOutput } from "../../platform/output-file.ts"
import { count, counted } from "../../words/number.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { Command, CommandIo } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"

import { benchAgainst } from "./against.ts"
import { type BenchKeeper, createBenchKeeper } from "./keep-bench.ts"
import { comparedWith, type LoadRuns, loadRuns, printComparison } from "./load-comparison.ts"
import { measureOnce } from "./measure-once.ts"
import { promptCacheChoices } from "./prompt-cache.ts"
import { httpVersions } from "./settings.ts"
import { mergeParts } from "./shards/merge.ts"
import { checkCompanions } from "./target-options.ts"

/** `evalkit bench`: latency, throughput and cost under a stated load, with the client's own measurement error. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("config", { type: "string", describe: "variants to measure; default: eval.config.ts, or --url" })
      .option("url", { type: "string", describe: "base URL of an OpenAI-compatible endpoint, with /v1" })
      .option("model", { type: "string", describe: "model to ask the endpoint for" })
      .option("key-variable", { type: "string", describe: "environment variable that holds the endpoint's key" })
      .option("variant", { type: "string", array: true, describe: "only these variants of the config" })
      .option("profile", {
        choices: Object.keys(workloadProfiles),
        describe: "published lengths, arrivals and objectives of a kind of traffic; other options change parts of it",
      })
      .option("concurrency", { type: "string", describe: "requests in flight: 8, or several levels: 1,8,32" })
      .option("sweep", { type: "boolean", describe: "1, 2, 4 … in flight until throughput stops growing" })
      .option("max-concurrency", { type: "number", describe: "where a sweep ends (256)" })
      .option("rate", { type: "string", describe: "open loop: requests a second: 5, or several levels: 1,5,20" })
      .option("arrival", { choices: ["poisson", "constant", "gamma"] as const, describe: "arrivals of the open loop" })
      .option("cv", {
        type: "number",
        describe: "coefficient of variation of gamma arrivals; 1 is Poisson, above 1 bursty",
      })
      .option("max-in-flight", {
        type: "number",
        describe: "most requests of an open loop in flight; others wait (10000)",
      })
      .option("trace", {
        type: "string",
        describe:
          "replay arrivals and lengths of a trace (JSONL or CSV of Azure, BurstGPT, Mooncake …: evalkit explain trace)",
      })
      .option("lengths", { type: "string", describe: "take only the lengths of prompts and answers from a trace" })
      .option("trace-speed", { type: "number", describe: "how many times faster than recorded" })
      .option("find-rate", { type: "boolean", describe: "search the highest rate that still meets --slo" })
      .option("quick", {
        type: "boolean",
        describe: "with --find-rate: know the rate to a tenth, in half the time",
      })
      .option("tune", {
        type: "boolean",
        conflicts: ["url", "shard", "merge", "with"],
        describe: "the variants are settings of a server: the cheapest that keeps --slo, one after the other (--sweep)",
      })
      .option("resume", {
        type: "string",
        describe: "of --tune: keep each setting's figures in this file, and take up those that an earlier call kept",
      })
      .option("requests", { type: "number", describe: "measured requests of a level (100)" })
      .option("duration", { type: "string", describe: "or how long a level starts requests: 30s, 5min" })
      .option("ramp", { type: "string", describe: "time over which a closed loop reaches its concurrency" })
      .option("slo", {
        type: "string",
        describe: "objectives of a good request: ttft<800ms,tpot<50ms; of 95 % of them, or ttft.p99<800ms",
      })
      .option("availability-target", { type: "number", describe: "share that must be answered (0.999)" })
      .option("prompt-tokens", { type: "string", describe: "words of a synthetic prompt: 64, or a mix: 32,256,2048" })
      .option("max-tokens", { type: "string", describe: "longest answer to a synthetic prompt: 128, or a mix" })
      .option("fixed-length", {
        type: "boolean",
        default: true,
        describe: "ask --url for answers of exactly --max-tokens (ignore_eos, min_tokens), where it can",
      })
      .option("metrics-url", {
        type: "string",
        describe: "the server's Prometheus page; default: /metrics beside --url",
      })
      .option("extra-body", { type: "string", describe: "sent in every request to --url: '{\"top_k\": 1}'" })
      .option("shared-prefix", { type: "number", describe: "share of the prompt that is the same for all, 0..1" })
      .option("prompt-cache", {
        choices: promptCacheChoices,
        describe: "prompts that a prompt cache holds, prompts that it cannot hold, or each in turn beside the other",
      })
      .option("price", { type: "string", describe: "dollars per million tokens: input/output or input/cached/output" })
      .option("queries-per-month", { type: "number", describe: "project the monthly bill of this traffic" })
      .option("budget", { type: "string", describe: "5usd, 2M tokens, 500 requests, 30min" })
      .option("transport", { choices: ["undici", "sdk"] as const, describe: "how requests are sent (undici)" })
      .option("capture-threads", {
        type: "string",
        describe: "threads that only send requests and record times: auto, or 0 and up",
      })
      .option("http-version", {
        choices: httpVersions,
        describe: "HTTP that is spoken: auto takes HTTP/2 where an https server chooses it",
      })
      .option("score", { type: "boolean", default: true, describe: "score a config's answers at every load" })
      .option("blocks", { type: "number", describe: "blocks in which variants take turns (3)" })
      .option("warm-up", {
        type: "boolean",
        default: true,
        describe: "cold start and warm-up, left out of the figures",
      })
      .option("calibrate", { type: "boolean", default: true, describe: "measure the client's own error" })
      .option("seed", { type: "number", describe: "seed of arrivals and lengths (1); when given, also of the prompts" })
      .option("compare", {
        type: "string",
        array: true,
        describe:
          "earlier benches to compare with, by id, --json output or another load tool's log: several show the spread",
      })
      .option("with", {
        type: "string",
        array: true,
        conflicts: ["url", "config", "merge", "csv", "html", "markdown"],
        describe: "later benches to compare with those of --compare; nothing is measured",
      })
      .option("against", {
        type: "string",
        conflicts: ["compare", "merge", "shard", "find-rate", "csv", "html", "markdown"],
        describe: "base URL of the endpoint that --url is compared with: both are measured in turn, A B B A …",
      })
      .option("repeat", { type: "number", describe: "runs of each side with --against (5)" })
      .option("shard", {
        type: "string",
        describe:
          "i/n: send the i-th of n parts of one open loop, beside other workers; needs --seed, --start-at, --out",
      })
      .option("start-at", { type: "string", describe: "when all workers begin: 2026-11-23T10:00:00Z" })
      .option("out", { type: "string", describe: "file for what this worker measured" })
      .option("clock", { type: "string", describe: "server whose clock all workers go by (the endpoint)" })
      .option("merge", {
        type: "string",
        array: true,
        describe: "the files of all workers: the figures of the whole load",
      })
      .option("json", { type: "boolean", default: false, describe: "print one object for each level" })
      .option("csv", { type: "string", describe: "write the figures as CSV" })
      .option("html", { type: "string", describe: "write a page" })
      .option("markdown", { type: "string", describe: "write the headline, levels and bills for a pull request" })
      .options(storeOptions)
      .example("$0 bench --url http://127.0.0.1:8000/v1 --model llama --concurrency 1,8,32", "three levels of load")
      .example(
        '$0 bench --url … --model llama --find-rate --slo "ttft<800ms,tpot<50ms"',
        "the highest rate that meets the objectives",
      )
      .example(
        "$0 bench --url … --model llama --profile rag --rate 2",
        "the traffic of retrieval, at a rate of your own",
      )
      .example(
        "$0 bench --url … --model llama --prompt-cache both",
        "time to first token and cost with and without the prompt cache",
      )
      .example(
        "$0 bench --url … --model llama --rate 200 --seed 7 --shard 1/2 --start-at 2026-11-23T10:00:00Z --out 1.jsonl",
        "half of a load, while another machine sends --shard 2/2",
      )
      .example("$0 bench --merge 1.jsonl 2.jsonl", "the figures of both halves together")
      .example("$0 bench --compare old*.json --with new*.json", "is the new server faster? five runs a side")
      .example(
        "$0 bench --url http://new:8000/v1 --against http://old:8000/v1 --model llama --concurrency 8 --repeat 5",
        "the same question, measured now: five runs a side in turn",
      )
      .example('$0 bench --tune --slo "ttft<800ms,tpot<50ms"', "the cheapest setting of the servers of eval.config.ts")
      .example("$0 bench --sweep", "the saturation point of each variant of eval.config.ts")
      .epilogue(
        "exit codes: 0 measured, whatever the figures are; with --with and --against: 0 nothing slower · 3 slower · 4 undecided · 5 incomplete: the budget was used up, or most requests of a load were not answered (of --sweep and --find-rate: of all loads together) · 130 interrupted",
      ),

  async run(asked, io) {
    checkCompanions(asked)
    const runs = (option: "compare" | "with") => loadRuns(`--${option}`, (asked[option] ?? []) as string[], asked, io)
    const earlier = asked.compare === undefined ? null : await runs("compare")
    if (!earlier && asked.with !== undefined)
      throw new UsageError("--with is given without --compare", {
        where: "evalkit bench",
        hint: "name the earlier outputs: --compare OLD --with NEW",
      })
    if (earlier && asked.with !== undefined)
      return printComparison(earlier, await runs("with"), asked.json === true, io)
    if (asked.against !== undefined) return benchAgainst(asked, io)
    const outputs = outputsOf(asked, io)
    const keeper = createBenchKeeper(asked, io)
    try {
      const result =
        asked.merge === undefined ? await measureOnce(asked, io, keeper.begin) : await merged(asked, io, keeper.begin)
      await print(result, { asked, earlier, outputs }, io)
      const code = codeOf(result, io)
      keeper.finish(result, code)
      return code
    } finally {
      keeper.close()
    }
  },
}

/** The result of all workers together. */
async function merged(asked: Args, io: CommandIo, begin: BenchKeeper["begin"]): Promise<BenchResult> {
  const result = await mergeParts(asked, io.cwd)
  const names = [...new Set(result.levels.map(({ variant }) => variant))]
  begin(
    names.map((name) => ({ name, endpoint: "", fingerprint: "" })),
    { seed: 1 },
  )
  return result
}

type Args = Readonly<Record<string, unknown>>

/** Prints what was found, and writes it into the files that were asked for. */
async function print(
  result: BenchResult,
  {
    asked,
    earlier,
    outputs,
  }: { readonly asked: Args; readonly earlier: LoadRuns | null; readonly outputs: ReturnType<typeof outputsOf> },
  io: CommandIo,
): Promise<void> {
  const json = benchJson(result)
  io.out(
    asked.json
      ? `${JSON.stringify(json)}\n`
      : benchText(result, screenWidth(io)) + (earlier ? `\n${comparedWith(earlier, json)}` : ""),
  )
  for (const { path, render } of outputs) {
    const text = await render(result)
    await writeOutput(path, (write) => write(text))
    io.err(`evalkit: wrote ${relative(io.cwd, path)}\n`)
  }
}

/** The exit code; what makes a bench incomplete is told. */
function codeOf(result: BenchResult, io: Pick<CommandIo, "err">): number {
  if (result.budgetSpent) io.err(`evalkit: incomplete: ${result.budgetSpent}\n`)
  if (result.interrupted) return ExitCode.interrupted
  if (result.budgetSpent || result.levels.length === 0) return ExitCode.incomplete
  if (result.choice) return ExitCode.ok
  const lost = mostlyLost(result)
  if (lost.length > 0) io.err(`evalkit: incomplete: ${lostWords(lost)}\n`)
  for (const variant of result.failedStarts?.keys() ?? []) io.err(`evalkit: incomplete: ${variant} did not start\n`)
  return lost.length > 0 || result.failedStarts ? ExitCode.incomplete : ExitCode.ok
}

/** `no request to a and b was answered · 28 of 229 requests to c were answered` */
function lostWords(lost: readonly MostlyLost[]): string {
  const isSilent = ({ level, answered }: MostlyLost) => level === null && answered === 0
  const silent = lost.filter(isSilent).map(({ variant }) => variant)
  const some = lost.filter((one) => !isSilent(one))
  return [
    ...(silent.length > 0 ? [`no request to ${silent.join(" and ")} was answered`] : []),
    ...some.map(({ variant, level, answered, requests }) => {
      const where = level === null ? "" : ` (${loadWords(level)})`
      return `${count(answered)} of ${counted(requests, "request")} to ${variant}${where} ${requests === 1 ? "was" : "were"} answered`
    }),
  ].join(" · ")
}

/**
 * The files that the figures go into.
 * @throws UsageError when one cannot be written: said before anything is measured and paid for
 */
function outputsOf(args: Args, { cwd }: CommandIo) {
  const renderers: readonly (readonly [unknown, (result: BenchResult) => string | Promise<string>])[] = [
    [args.csv, benchCsv],
    [args.html, benchHtml],
    [args.markdown, benchMarkdown],
  ]
  const outputs = renderers.flatMap(([name, render]) =>
    typeof name === "string" ? [{ path: resolve(cwd, name), render }] : [],
  )
  for (const { path } of outputs) checkOutput(path)
  return outputs
}
