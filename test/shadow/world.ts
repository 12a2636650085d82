import { readdirSync, readFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { join } from "node:path"
import type { JsonObject } from "../../src/core/json.ts"
import { type MirrorOptions, startMirror } from "../../src/shadow/mirror.ts"
import type { MirrorSettings } from "../../src/shadow/mirrored-call.ts"
import { startProxy } from "../../src/shadow/proxy.ts"

/** A proxy with its mirror in this process, at a share of everything. */
export async function startShadow(
  folder: string,
  primary: string,
  candidate: string,
  more: Partial<MirrorSettings> & Partial<Pick<MirrorOptions, "share" | "seed" | "onStopped">> = {},
) {
  const { share = 1, seed = 42, onStopped = () => {}, ...own } = more
  const timeouts = { connectMs: 1000, firstTokenMs: 1000, gapMs: 1000, totalMs: 1500 }
  const settings: MirrorSettings = {
    ...{ folder, primaryHost: "api.openai.com", timeouts, budget: {}, maxConcurrency: 8, countries: ["DE"] },
    ...{ pseudonymKey: Buffer.from("0123456789abcdef"), stopWhen: [], stopCalls: 50 },
    candidate: {
      ...{ model: "small", baseUrl: candidate, apiKey: null, price, maxTokens: 100 },
      maxTokensField: "max_tokens",
    },
    ...own,
  }
  const mirror = await startMirror({ settings, share, seed, onStopped })
  const status = () => ({ requests: proxy.requests(), ...mirror.status() })
  const proxy = await startProxy({ host: "127.0.0.1", port: 0, primary: new URL(primary), mirror, status })
  return {
    origin: proxy.origin,
    url: `${proxy.origin}/v1/chat/completions`,
    status,
    /** Resolves once so many drawn requests have ended, stored or skipped. */
    async ended(count: number, patienceMs = 60_000) {
      const until = performance.now() + patienceMs
      for (;;) {
        const { stored, skipped } = mirror.status()
        const all = stored + Object.values(skipped).reduce((sum, n) => sum + n, 0)
        if (all >= count) return mirror.status()
        if (performance.now() > until) throw new Error(`${all} of ${count} ended: ${JSON.stringify(mirror.status())}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    rows: () => rowsOf(folder),
    async close(patienceMs = 1000) {
      await proxy.close(patienceMs)
      await mirror.drain(patienceMs)
    },
  }
}

/** Ten dollars a million tokens of input, twenty of output. */
export const price = {
  ...{ kind: "tokens" as const, inputPerMillion: 10, cachedInputPerMillion: null, outputPerMillion: 20 },
  ...{ source: "test", date: "2026-11-29" },
}

/** The newest file of pairs in a folder. */
export function newestPairs(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.startsWith("pairs-"))
  return join(folder, names.sort().at(-1) ?? "")
}

/** Lines of all files of pairs in a folder. */
export function rowsOf(folder: string): JsonObject[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("pairs-"))
  const text = names.sort().map((name) => readFileSync(join(folder, name), "utf8"))
  return text
    .join("")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as JsonObject]))
}

/** A chat request's body. */
export function chat(content: string, more: JsonObject = {}): string {
  return JSON.stringify({ model: "big", messages: [{ role: "user", content }], ...more })
}

/** What came of a request, as it came. */
export interface Reply {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly string[]
  readonly body: Buffer
  /** The connection ended before the answer did. */
  readonly isCut: boolean
}

/** Sends a request over a connection of its own, and keeps what comes back byte for byte. */
export function send(
  url: string,
  body: string | Buffer | null,
  {
    method = body === null ? "GET" : "POST",
    headers = {},
  }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const sent = httpRequest(url, { method, headers: { ...length, ...headers }, agent: false }, (response) => {
      const parts: Buffer[] = []
      const end = (isCut: boolean) =>
        resolve({
          ...{ status: response.statusCode ?? 0, statusText: response.statusMessage ?? "", isCut },
          headers: response.rawHeaders,
          body: Buffer.concat(parts),
        })
      response
        .on("data", (part: Buffer) => parts.push(part))
        .on("end", () => end(false))
        .on("error", () => end(true))
    })
    sent.on("error", reject)
    sent.end(body)
  })
}
