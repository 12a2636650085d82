import { EvalkitError } from "../../core/errors.ts"
import type { Answer } from "../../core/generation.ts"
import type { JsonObject } from "../../core/json.ts"
import { checkOptions } from "../../core/options.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { OpenContext, ProviderSession, ResourceUsage } from "../../core/provider.ts"
import { generationFigures } from "../../perf/answer-latency.ts"
import { modelSize } from "../../serving/model-size.ts"
import { type ServerProcess, startProcess } from "../../serving/process.ts"
import { createProcessSampler, type ProcessSampler } from "../../serving/process-resources.ts"
import { waitUntilReady } from "../../serving/readiness.ts"
import { bound, createRedact, type Redact } from "../../text/redact.ts"
import { environmentSecrets, looksRandom, rememberSecrets } from "../../text/secrets.ts"
import { openOpenaiSession } from "../openai/session.ts"
import type { ServerOptions } from "./options.ts"
import { checkListener, claimPort } from "./own-port.ts"
import { readServedIdentity } from "./served-identity.ts"
import { argumentSecrets, shownArguments } from "./shown-arguments.ts"

/**
 * Starts a server in a process group of its own, waits until it is ready, warms it up, and gives a session whose requests
 * take the same way as those to any other endpoint. Its port must have been free before, and the listener on it must be of its
 * own processes: an answer of another server would be another model's. Memory and CPU of the process tree are sampled until it is closed.
 *
 * Throws {@link EvalkitError} when the server dies, does not get ready in time or does not answer its warm-up; the message
 * holds the last lines of its log, and nothing is left running. A server that dies later ends its requests as
 * `connection`, and a note says how it ended.
 * @experimental
 */
export async function openServerSession(options: ServerOptions, context: OpenContext): Promise<ProviderSession> {
  checkOptions("openServerSession", options)
  const environment = { ...context.environment, ...options.environment }
  const own = argumentSecrets(options.args ?? [])
  const secrets = [...environmentSecrets(environment), ...own]
  rememberSecrets(secrets.filter(looksRandom))
  const redact = createRedact(secrets)
  await claimPort(options, context.signal)
  const startedMs = context.clock.now()
  context.progress(`starting ${options.label}`)
  const server = startProcess({ command: options.command, args: options.args ?? [], cwd: options.cwd, environment })
  const graceMs = options.graceMs ?? 5000
  const sampler = createProcessSampler(server.pid, environment)
  const download = watchDownload(server)
  try {
    const fail = (what: string, code: string): EvalkitError => describeFailure(options, server, redact, what, code)
    const ready = await waitUntilReady(server, options.readiness, context.signal, fail)
    const loadMs = context.clock.now() - startedMs
    await sampler.markIdle()
    const settings = clientOptions(options, ready)
    const listenerNote = await checkListener(options, settings.baseUrl, server.pid)
    const client = await openOpenaiSession(settings, null, context.capture)
    const firstTokenMs = await warmUp(client, options, context, fail)
    return createSession(client, server, sampler, {
      identity: await readServedIdentity(settings.baseUrl, context.signal),
      listenerNote,
      start: () => ({ loadMs, firstTokenMs, downloadMs: download.milliseconds }),
      modelBytes: options.modelBytes ?? (await modelSize(options.args ?? [], options.cwd ?? ".")),
      graceMs,
      redact,
      label: options.label,
    })
  } catch (error) {
    sampler.stop()
    await server.stop(graceMs)
    throw error
  }
}

interface SessionFacts {
  readonly identity: JsonObject | null
  readonly listenerNote: string | null
  /** How long its start took, part by part. */
  start(): Pick<ResourceUsage, "loadMs" | "firstTokenMs" | "downloadMs">
  readonly modelBytes: number | null
  readonly graceMs: number
  readonly redact: Redact
  readonly label: string
}

function createSession(
  client: ProviderSession,
  server: ServerProcess,
  sampler: ProcessSampler,
  { identity, listenerNote, start, modelBytes, graceMs, redact, label }: SessionFacts,
): ProviderSession {
  let closing: Promise<void> | undefined
  let contextTokens: number | null = null
  const close = async (): Promise<void> => {
    sampler.stop()
    await client.close()
    await server.stop(graceMs)
  }
  /** How it ended by itself; its stop at the end of the run is none of that. */
  let died: string | null = null
  void server.ended.then((how) => {
    if (!closing) died = how
  })
  return {
    ...client,
    async request(...call) {
      sampler.begin()
      try {
        return await client.request(...call)
      } finally {
        sampler.end()
      }
    },
    async resources() {
      contextTokens ??= (await client.contextWindow?.(new AbortController().signal)) ?? null
      return { ...(await sampler.read()), modelBytes, ...start(), contextTokens }
    },
    servedIdentity: () => identity,
    notes: (parameters) => [
      ...(listenerNote === null ? [] : [listenerNote]),
      ...client.notes(parameters),
      ...(died === null ? [] : [`server: ${label} ended during the run (${died}); ${lastLines(server, redact)}`]),
    ],
    close() {
      closing ??= close()
      return closing
    },
  }
}

function clientOptions(options: ServerOptions, ready: RegExpExecArray | null): Parameters<typeof openOpenaiSession>[0] {
  const { baseUrl, model, transport, features, extraBody, metricsUrl } = options
  if (typeof baseUrl === "function" && ready === null)
    throw new EvalkitError("a baseUrl that is made from a line of the log needs readiness.logPattern", {
      code: "usage",
      where: options.label,
    })
  return {
    model,
    baseUrl: typeof baseUrl === "function" ? baseUrl(ready as RegExpExecArray) : baseUrl,
    ...(transport ? { transport } : {}),
    ...(features ? { features } : {}),
    ...(extraBody ? { extraBody } : {}),
    ...(metricsUrl ? { metricsUrl } : {}),
  }
}

/** What vLLM says of the weights that it fetches; other servers say no time. */
function watchDownload({ log }: ServerProcess): { readonly milliseconds: number | null } {
  const idle: { milliseconds: number | null } = { milliseconds: null }
  void log.find(/Time spent downloading weights for [^\s:]+: (\d+(?:\.\d+)?) seconds/).then((match) => {
    idle.milliseconds = Number(match[1]) * 1000
  })
  return idle
}

/** @returns milliseconds to the first token of the first request; null where none was sent or no token came */
async function warmUp(
  client: ProviderSession,
  options: ServerOptions,
  { clock, signal, progress }: OpenContext,
  fail: (what: string, code: string) => EvalkitError,
): Promise<number | null> {
  let firstTokenMs: number | null = null
  const limitMs = options.readiness.timeoutMs ?? 300_000
  const timeouts = { connectMs: 10_000, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs }
  const request = {
    messages: [{ role: "user", content: "Hello" } as const],
    parameters: { maxTokens: 4, temperature: 0 },
  }
  for (let index = 0; index < (options.warmUpRequests ?? 1); index++) {
    progress(`warming up ${options.label}`)
    const nowMs = clock.now()
    const answer = await client.request(request, { signal, timeouts, clock, originMs: nowMs, scheduledMs: nowMs })
    if (!isUsable(answer)) {
      await client.close()
      throw fail(
        `did not answer its warm-up request (${answer.outcome}: ${answer.failure?.message ?? ""})`,
        "server_warm_up_failed",
      )
    }
    if (index === 0) firstTokenMs = generationFigures(answer).ttftAnyMs
  }
  return firstTokenMs
}

/** Four tokens may well be an empty text, or one that is cut off. */
function isUsable(answer: Answer): boolean {
  return isAnswered(answer.outcome) || answer.outcome === "empty"
}

function describeFailure(
  options: ServerOptions,
  server: ServerProcess,
  redact: Redact,
  what: string,
  code: string,
): EvalkitError {
  const commandLine = [options.command, ...shownArguments(options.args ?? [])].join(" ")
  return new EvalkitError(`the server ${options.label} ${what}`, {
    code,
    where: bound(redact(commandLine), 300),
    hint: lastLines(server, redact),
  })
}

function lastLines(server: ServerProcess, redact: Redact): string {
  const lines = server.log
    .lines()
    .filter((line) => line.trim() !== "")
    .slice(-10)
  return lines.length === 0
    ? "it wrote nothing"
    : `its last lines:\n${lines.map((line) => `  ${bound(redact(line), 300)}`).join("\n")}`
}
