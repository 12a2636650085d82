import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { request, type ServerResponse } from "node:http"
import { join } from "node:path"
import { cliPath } from "../../support/cli.ts"
import { serveLoopback } from "../../support/loopback.ts"

/** What a server answered. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** One request without a browser's own headers: `fetch` would not let a Host be chosen. */
export function send(
  url: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly method?: string
    readonly body?: string
  } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: options.headers ?? {}, method: options.method ?? "GET" }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(options.body)
  })
}

/** `evalkit view` in a process of its own. */
export interface RunningView {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  /** What was printed: the address with its token, where it has one. */
  readonly address: string
  /** Headers of somebody who may look. */
  readonly allowed: Readonly<Record<string, string>>
  readonly complained: () => string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Sends a form, by default as the server's own page would. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>
  close(): Promise<void>
}

/** Starts `evalkit view` of the built evalkit and waits for its address. */
export async function startView(
  cwd: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningView> {
  const child = spawn(process.execPath, [cliPath, "view", "--port", "0", ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", TZ: "Europe/Berlin", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let complaints = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text
  })
  const address = await firstLine(child, () => complaints)
  const { origin, searchParams } = new URL(address)
  const token = searchParams.get("token") ?? environment.EVALKIT_VIEW_TOKEN ?? ""
  const allowed = { authorization: `Bearer ${token}` }
  const url = `${origin.replace("0.0.0.0", "127.0.0.1")}/`
  const get: RunningView["get"] = (path, headers = allowed) => send(new URL(path, url).href, { headers })
  return {
    url,
    address,
    allowed,
    complained: () => complaints,
    get,
    async post(path, fields, headers = {}) {
      const { text } = await get(path.replace(/\/\d+$/, "").replace(/\/[\w-]{16}$/, ""))
      const form = fields.form ?? /name="form" value="([^"]+)"/.exec(text)?.[1] ?? ""
      return send(new URL(path, url).href, {
        method: "POST",
        headers: {
          ...allowed,
          origin: url.slice(0, -1),
          "content-type": "application/x-www-form-urlencoded",
          ...headers,
        },
        body: new URLSearchParams({ ...fields, form }).toString(),
      })
    },
    close: () => ended(child),
  }
}

/** Ends a process by its id, and waits for its end. */
export function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), 10_000)
    child.once("close", () => {
      clearTimeout(late)
      resolve()
    })
    child.kill("SIGINT")
  })
}

function firstLine(child: ChildProcess, complaints: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    const late = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error(`evalkit view said no address: ${complaints()}`))
    }, 20_000)
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      if (!text.includes("\n")) return
      clearTimeout(late)
      resolve(text.slice(0, text.indexOf("\n")))
    })
    child.once("close", (code) => {
      clearTimeout(late)
      reject(new Error(`evalkit view ended with ${code}: ${complaints()}`))
    })
  })
}

/** A model's service that answers only as many requests as the test lets it. */
export interface SlowService {
  readonly url: string
  /** So many more requests are answered. */
  allow(requests: number): void
  close(): Promise<void>
}

/** The answer to a question: what is to be refused says so. */
export type AnswerTo = (question: string, model: string) => string | { readonly refused: string }

/** Starts the service on the loopback interface. */
export async function startSlowService(answerTo: AnswerTo): Promise<SlowService> {
  let allowed = 0
  const waiting: (() => void)[] = []
  const next = (): void => {
    while (allowed > 0 && waiting.length > 0) {
      allowed--
      waiting.shift()?.()
    }
  }
  const server = await serveLoopback((asked, response, text) => {
    if (!asked.url?.endsWith("/chat/completions")) return void response.end('{"data":[]}')
    const { messages, model } = JSON.parse(text) as { messages: { content: string }[]; model: string }
    const answer = answerTo(String(messages.at(-1)?.content ?? ""), model)
    waiting.push(() => reply(response, answer))
    next()
  })
  return {
    url: server.url,
    allow(requests) {
      allowed += requests
      next()
    },
    close: server.close,
  }
}

function reply(response: ServerResponse, answer: ReturnType<AnswerTo>): void {
  if (typeof answer !== "string") {
    response.writeHead(400, { "content-type": "application/json" })
    response.end(JSON.stringify({ error: { message: answer.refused, type: "invalid_request_error" } }))
    return
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  const chunk = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "slow", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  response.end(
    `${chunk({ role: "assistant", content: answer }, null)}${chunk({}, "stop")}data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "slow", choices: [], usage })}\n\ndata: [DONE]\n\n`,
  )
}

/** A run of two variants against a service, in a process of its own. */
export interface RunUnderWay {
  readonly child: ChildProcess
  readonly complained: () => string
  ended(): Promise<number | null>
}

/** Writes a project of `samples` questions and starts `evalkit run` in it. */
export function startRun(cwd: string, service: SlowService, samples: number): RunUnderWay {
  mkdirSync(cwd, { recursive: true })
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { contains, defineConfig, openai, variant } from "evalkit"
const provider = (model: string) => openai({ baseUrl: "${service.url}", model, apiKeyVariable: null })
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 4, source: "test", date: "2026-11-22" }
export default defineConfig({
  name: "under way",
  dataset: Array.from({ length: ${samples} }, (_, i) => ({ id: "s" + String(i).padStart(3, "0"), input: "question " + i, references: ["Paris"] })),
  variants: [
    variant({ name: "today", provider: provider("m-today"), price }),
    variant({ name: "candidate", provider: provider("m-candidate"), price }),
  ],
  metrics: [contains()],
  concurrency: 2,
  retry: { retries: 0 },
})
`,
  )
  const child = spawn(process.execPath, [cliPath, "run"], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", CI: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  })
  let complaints = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text
  })
  return {
    child,
    complained: () => complaints,
    ended: () =>
      child.exitCode !== null
        ? Promise.resolve(child.exitCode)
        : new Promise((resolve) => child.once("close", (code) => resolve(code))),
  }
}

/** Asks again and again until the answer is as wanted, at most for half a minute. */
export async function until<Result>(ask: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  const endMs = Date.now() + 30_000
  for (;;) {
    const result = await ask()
    if (isDone(result)) return result
    if (Date.now() > endMs) throw new Error(`it did not come: ${JSON.stringify(result).slice(0, 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}
