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
import { closing } from "../../platform/closing.ts"
import { checkOutput, writeOutput } from "../../platform/output-file.ts"
import { count, counted } from "../../words/number.ts"
import { flag, json, number, oneOf, text, texts } from "../arguments/options.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { Args, Command, CommandIo } from "../command.ts"
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
  positionals: { config: text("variants to measure; default: eval.config.ts, or --url") },
  options: {
    url: text("base URL of an OpenAI-compatible endpoint, with /v1"),
    model: text("model to ask the endpoint for"),
    "key-variable": text("environment variable that holds the endpoint's key"),
    variant: texts("only these variants of the config"),
    profile: oneOf(
      Object.keys(workloadProfiles),
      "published lengths, arrivals and objectives of a kind of traffic; other options change parts of it",
    ),
    concurrency: text("requests in flight: 8, or several levels: 1,8,32"),
    sweep: flag("1, 2, 4 … in flight until throughput stops growing"),
    "max-concurrency": number("where a sweep ends (256)"),
    rate: text("open loop: requests a second: 5, or several levels: 1,5,20"),
    arrival: oneOf(["poisson", "constant", "gamma"], "arrivals of the open loop"),
    cv: number("coefficient of variation of gamma arrivals; 1 is Poisson, above 1 bursty"),
    "max-in-flight": number("most requests of an open loop in flight; others wait (10000)"),
    trace: text(
      "replay arrivals and lengths of a trace (JSONL or CSV of Azure, BurstGPT, Mooncake …: evalkit explain trace)",
    ),
    lengths: text("take only the lengths of prompts and answers from a trace"),
    "trace-speed": number("how many times faster than recorded"),
    "find-rate": flag("search the highest rate that still meets --slo"),
    quick: flag("with --find-rate: know the rate to a tenth instead of a twentieth, sooner"),
    tune: flag("the variants are settings of a server: the cheapest that keeps --slo, one after the other (--sweep)", {
      conflicts: ["url", "shard", "merge", "with"],
    }),
    resume: text("of --tune: keep each setting's figures in this file, and take up those that an earlier call kept"),
    requests: number("measured requests of a level (100)"),
    duration: text("or how long a level starts requests: 30s, 5min"),
    ramp: text("time over which a closed loop reaches its concurrency"),
    slo: text("objectives of a good request: ttft<800ms,tpot<50ms; of 95 % of them, or ttft.p99<800ms"),
    "availability-target": number("share that must be answered (0.999)"),
    "prompt-tokens": text("words of a synthetic prompt: 64, or a mix: 32,256,2048"),
    "max-tokens": text("longest answer to a synthetic prompt: 128, or a mix"),
    "fixed-length": flag("ask --url for answers of exactly --max-tokens (ignore_eos, min_tokens), where it can", {
      default: true,
    }),
    "metrics-url": text("the server's Prometheus page; default: /metrics beside --url"),
    "extra-body": text("sent in every request to --url: '{\"top_k\": 1}'"),
    "shared-prefix": number("share of the prompt that is the same for all, 0..1"),
    "prompt-cache": oneOf(
      promptCacheChoices,
      "prompts that a prompt cache holds, prompts that it cannot hold, or each in turn beside the other",
    ),
    price: text("dollars per million tokens: input/output or input/cached/output"),
    "queries-per-month": number("project the monthly bill of this traffic"),
    budget: text("5usd, 2M tokens, 500 requests, 30min"),
    transport: oneOf(["undici", "sdk"], "how requests are sent (undici)"),
    "capture-threads": text("threads that only send requests and record times: auto, or 0 and up"),
    "http-version": oneOf(httpVersions, "HTTP that is spoken: auto takes HTTP/2 where an https server chooses it"),
    score: flag("score a config's answers at every load", { default: true }),
    blocks: number("blocks in which variants take turns (3)"),
    "warm-up": flag("cold start and warm-up, left out of the figures", { default: true }),
    calibrate: flag("measure the client's own error", { default: true }),
    seed: number("seed of arrivals and lengths (1); when given, also of the prompts"),
    compare: texts(
      "earlier benches to compare with, by id, --json output or another load tool's log: several show the spread",
    ),
    with: texts("later benches to compare with those of --compare; nothing is measured", {
      conflicts: ["url", "config", "merge", "csv", "html", "markdown"],
    }),
    against: text("base URL of the endpoint that --url is compared with: both are measured in turn, A B B A …", {
      conflicts: ["compare", "merge", "shard", "find-rate", "csv", "html", "markdown"],
    }),
    repeat: number("runs of each side with --against (5)"),
    shard: text(
      "i/n: send the i-th of n parts of one open loop, beside other workers; needs --seed, --start-at, --out",
    ),
    "start-at": text("when all workers begin: 2026-11-23T10:00:00Z"),
    out: text("file for what this worker measured"),
    clock: text("server whose clock all workers go by (the endpoint)"),
    merge: texts("the files of all workers: the figures of the whole load"),
    json: json("print one object for each level"),
    csv: text("write the figures as CSV"),
    html: text("write a page"),
    markdown: text("write the headline, levels and bills for a pull request"),
    ...storeOptions,
  },
  examples: {
    "$0 bench --url http://127.0.0.1:8000/v1 --model llama --concurrency 1,8,32": "three levels of load",
    '$0 bench --url … --model llama --find-rate --slo "ttft<800ms,tpot<50ms"':
      "the highest rate that meets the objectives",
    "$0 bench --url … --model llama --profile rag --rate 2": "the traffic of retrieval, at a rate of your own",
    "$0 bench --url … --model llama --prompt-cache both":
      "time to first token and cost with and without the prompt cache",
    "$0 bench --url … --model llama --rate 200 --seed 7 --shard 1/2 --start-at 2026-11-23T10:00:00Z --out 1.jsonl":
      "half of a load, while another machine sends --shard 2/2",
    "$0 bench --merge 1.jsonl 2.jsonl": "the figures of both halves together",
    "$0 bench --compare old*.json --with new*.json": "is the new server faster? five runs a side",
    "$0 bench --url http://new:8000/v1 --against http://old:8000/v1 --model llama --concurrency 8 --repeat 5":
      "the same question, measured now: five runs a side in turn",
    '$0 bench --tune --slo "ttft<800ms,tpot<50ms"': "the cheapest setting of the servers of eval.config.ts",
    "$0 bench --sweep": "the saturation point of each variant of eval.config.ts",
  },
  epilogue:
    "exit codes: 0 measured, whatever the figures are; with --with and --against: 0 nothing slower · 3 slower · 4 undecided · 5 incomplete: the budget was used up, or most requests of a load were not answered (of --sweep and --find-rate: of all loads together) · 130 interrupted",

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
    return closing(createBenchKeeper(asked, io), async (keeper) => {
      const result =
        asked.merge === undefined ? await measureOnce(asked, io, keeper.begin) : await merged(asked, io, keeper.begin)
      await print(result, { asked, earlier, outputs }, io)
      const code = codeOf(result, io)
      keeper.finish(result, code)
      return code
    })
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
  const some = lost.filter((entry) => !isSilent(entry))
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
