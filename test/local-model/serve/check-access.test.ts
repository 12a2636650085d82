import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { openTestServer } from "./shared-server.ts"

const body = JSON.stringify({ messages: [{ role: "user", content: "hello" }], max_tokens: 1 })
const json = { "content-type": "application/json" }

/** The status of a request with these headers, the Host header among them. */
function ask(url: string, headers: Readonly<Record<string, string>>, method: "GET" | "POST" = "POST"): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = method === "POST" ? "/chat/completions" : "/models"
    const call = request(`${url}${path}`, { method, headers }, (response) => {
      response.resume()
      response.once("end", () => resolve(response.statusCode ?? 0))
    })
    call.once("error", reject)
    call.end(method === "POST" ? body : undefined)
  })
}

describe("evalkit serve", () => {
  let open: RunningServer
  let closed: RunningServer
  beforeAll(async () => {
    open = (await openTestServer()).server
    closed = (await openTestServer({ token: "let-me-in" })).server
  })
  afterAll(() => Promise.all([open?.stop(), closed?.stop()]))

  const port = () => new URL(open.baseUrl).port

  it("answers programs", async () => {
    expect(await ask(open.baseUrl, json)).toBe(200)
    expect(await ask(open.baseUrl, { "content-type": "application/json; charset=utf-8" })).toBe(200)
    expect(await ask(open.baseUrl, { ...json, host: `localhost:${port()}` })).toBe(200)
    expect(await ask(open.baseUrl, { ...json, host: `[::1]:${port()}` })).toBe(200)
    expect(await ask(open.baseUrl, { ...json, origin: `http://127.0.0.1:${port()}` })).toBe(200)
  })

  it.each(["GET", "POST"] as const)("refuses a %s whose Host is a foreign name, or another port", async (method) => {
    for (const host of [`rebound.example:${port()}`, "127.0.0.1:1", "rebound.example", "127.0.0.1.rebound.example"])
      expect(await ask(open.baseUrl, { ...json, host }, method)).toBeOneOf([400, 403])
  })

  it("refuses what a page of another origin sends", async () => {
    for (const origin of ["https://evil.example", "null", `https://127.0.0.1:${port()}`, "http://localhost:1"])
      expect(await ask(open.baseUrl, { ...json, origin })).toBe(403)
  })

  it("refuses bodies that a page may send without being asked", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"])
      expect(await ask(open.baseUrl, { "content-type": type })).toBe(415)
    expect(await ask(open.baseUrl, {})).toBe(415)
  })

  it("asks for its token, and for all of it", async () => {
    expect(await ask(closed.baseUrl, { ...json, authorization: "Bearer let-me-in" })).toBe(200)
    for (const authorization of ["Bearer let-me-i", "Bearer let-me-in2", "let-me-in", "Bearer no"])
      expect(await ask(closed.baseUrl, { ...json, authorization })).toBe(401)
    expect(await ask(closed.baseUrl, json)).toBe(401)
    expect(await ask(closed.baseUrl, {}, "GET")).toBe(401)
    expect((await fetch(closed.baseUrl.replace("/v1", "/health"))).status).toBe(200)
    expect((await fetch(closed.baseUrl.replace("/v1", "/props"))).status).toBe(401)
  })
})
