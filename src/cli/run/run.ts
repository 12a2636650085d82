import { UsageError } from "../../core/errors.ts"
import { isFailure, outcomes } from "../../core/outcome.ts"
import type { SliceQueue } from "../../core/run/slice-queue.ts"
import { queueName } from "../../pipeline/distribute/task.ts"
import { parseQueueLocation } from "../../queue/location.ts"
import { openStore } from "../../store/project-store.ts"
import { flag, json, number, oneOf, text, texts } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"
import { makeAndShow } from "./make-and-show.ts"
import { resumed } from "./resumed-run.ts"
import { loadEvaluation } from "./run-once.ts"

/** `evalkit run [config]`: the whole pipeline, from the data set to the verdict. */
export const command: Command = {
  mayBeBare: ["resume", "extend", "retry-failed"],

  positionals: { config: text("default: eval.config.ts") },
  options: {
    resume: text("continue a run: its id, or the newest one of this config that has not finished"),
    "retry-failed": texts("with --resume: ask again only calls that failed in these ways (default: all that failed)", {
      choices: outcomes.filter(isFailure),
    }),
    extend: text(
      "with a larger --limit: keep the answers of a run that had a smaller one (its id, or the newest), ask the rest",
    ),
    "dry-run": flag("print calls, tokens and cost, and stop"),
    budget: text("5usd, 2M tokens, 500 requests, 30min"),
    limit: number("only the first n samples"),
    canary: text("only a seeded share of the samples, as a canary would get: 5%"),
    variant: texts("only these variants"),
    repeats: number("answers per sample and variant"),
    concurrency: number("most requests in flight"),
    retries: number("retries after a failed attempt; 0: none"),
    aa: flag("the baseline against itself: the noise of quality, time and cost, and how often it looks like a gain"),
    shard: text("i/n: the i-th of n parts, to be joined by evalkit merge"),
    queue: text("let workers answer: redis://host:6379 or postgres://user@host/database (see: evalkit worker)"),
    detach: flag("with --queue: leave the slices to the workers and return; --resume scores and reports"),
    until: oneOf(["decided"], "stop calling variants whose verdict is decided"),
    seed: number("seed of everything random"),
    margin: number("largest loss that counts as not worse"),
    cache: flag("answer identical requests from the store"),
    batch: flag("ask by batch, at the services' lower price and within hours"),
    "live-share": number("with --batch: share of the samples that is asked live, for latency"),
    "cancel-batch": flag("with --resume: end the batches under way, keep what they have"),
    "resend-batch": flag("with --resume: send a batch again where the service cannot tell whether it was sent"),
    directory: text("folder of the store and the reports"),
    store: storeOptions.store,
    html: flag("write the HTML report, if the config has one (--no-html: leave it out)", { default: true }),
    json: json("print the report as JSON"),
  },
  examples: {
    "$0 run": "run eval.config.ts",
    "$0 run --limit 50 --budget 1usd": "a first, inexpensive look",
    "$0 run --extend --limit 200": "ask more samples of the newest run, whose answers count as well",
    "$0 run --batch --live-share 0.2": "quality at half the price, latency from a fifth of the samples",
    "$0 run --queue redis://10.0.0.5:6379": "one run over many machines, each with evalkit worker",
    "$0 run --aa --limit 200": "what the baseline differs from itself by, before a candidate is asked",
    "$0 run --resume": "continue after an interruption, and ask failed calls again",
  },

  async run(args, io) {
    if (args.retryFailed !== undefined && args.resume === undefined)
      throw new UsageError("--retry-failed needs --resume", { hint: "name a run, or leave --retry-failed out" })
    for (const name of ["cancelBatch", "resendBatch"] as const)
      if (args[name] && args.resume === undefined)
        throw new UsageError(`--${name.replace("B", "-b")} needs --resume`, { hint: "name the run, or leave it out" })
    if (args.extend !== undefined)
      for (const other of ["resume", "until", "shard"] as const)
        if (args[other] !== undefined)
          throw new UsageError(`--extend and --${other} do not go together`, { hint: `leave one of them out` })
    refusePairs(args)
    for (const other of ["queue", "until"] as const)
      if (args.aa && args[other] !== undefined)
        throw new UsageError(`--aa and --${other} do not go together`, { hint: "leave one of them out" })
    if (args.detach && args.queue === undefined)
      throw new UsageError("--detach needs --queue", { hint: "name the queue that workers read, or leave it out" })
    if (args.detach && args.until !== undefined)
      throw new UsageError("--detach and --until do not go together", {
        hint: "somebody has to look whether it is decided: leave --detach out",
      })
    const { path, evaluation: asked } = await loadEvaluation(args, io)
    if (args.dryRun) return (await import("./dry-run.ts")).dryRun(asked, io, { json: args.json === true, args })
    const shared = args.queue !== undefined
    const store = openStore({ store: args.store }, io, {
      evaluation: asked,
      ...(shared && { role: "coordinator" as const }),
    })
    let queue: SliceQueue | null = null
    try {
      const { evaluation, ...begun } = resumed(asked, store, args, io, path)
      queue = shared ? await openQueue(String(args.queue), queueName(evaluation, store), io) : null
      refusePairs({ ...args, ...begun })
      return await makeAndShow(evaluation, store, { args: { ...args, ...begun }, io, path, queue })
    } finally {
      await queue?.close()
      store.close()
    }
  },
}

/** Refuses options of which one makes the other pointless, also where a run that goes on was started with one of them. */
function refusePairs({ until, shard, queue }: Args): void {
  if (until !== undefined && shard !== undefined)
    throw new UsageError("--until and --shard do not go together", {
      where: `--until ${String(until)} --shard ${String(shard)}`,
      hint: "a part of the samples cannot tell when the whole is decided: leave one of them out",
    })
  if (queue !== undefined && shard !== undefined)
    throw new UsageError("--queue and --shard do not go together", { hint: "leave one of them out" })
}

async function openQueue(url: string, name: string, { environment }: CommandIo): Promise<SliceQueue> {
  const { openSliceQueue } = await import("../../queue/queue.ts")
  return openSliceQueue(parseQueueLocation(url, "--queue", environment), name)
}
