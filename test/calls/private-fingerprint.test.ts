import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { checkPrivateIdentity, privateFingerprint } from "../../src/calls/private-fingerprint.ts"
import { createResponseCache } from "../../src/calls/response-cache.ts"
import { command } from "../../src/providers/command.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"

function serve(environment: Readonly<Record<string, string>>, cwd?: string) {
  return command({
    command: "serve",
    environment,
    readiness: { port: 8080 },
    baseUrl: "http://127.0.0.1:8080/v1",
    model: "m",
    ...(cwd ? { cwd } : {}),
  })
}

const request = { messages: [{ role: "user", content: "Hi" } as const], parameters: {} }

describe("privateFingerprint", () => {
  it("keeps a cached answer from a server with another environment or another folder", () => {
    const store = scratchStore()
    const cache = createResponseCache(store)
    const of = (...options: Parameters<typeof serve>) => fakeVariant("v", serve(...options))
    cache.keep(of({ MODEL: "a.gguf" }), request, 0, fakeAnswer("from a"))
    expect(cache.find(of({ MODEL: "a.gguf" }), request, 0)?.text).toBe("from a")
    expect(cache.find(of({ MODEL: "b.gguf" }), request, 0)).toBeNull()
    expect(cache.find(of({ MODEL: "a.gguf" }, "/elsewhere"), request, 0)).toBeNull()
  })

  it("is different in every store, and holds no value", () => {
    const directories = [scratchDirectory(), scratchDirectory()]
    const prints = directories.map((directory) => {
      const store = openRunStore(directory)
      const print = privateFingerprint(serve({ PASS: "prod" }), store)
      expect(privateFingerprint(serve({ PASS: "prod" }), store)).toBe(print)
      store.close()
      const second = openRunStore(directory)
      expect(privateFingerprint(serve({ PASS: "prod" }), second)).toBe(print)
      second.close()
      expect(readFileSync(join(directory, "evalkit.db")).includes("prod")).toBe(false)
      return print
    })
    expect(prints[0]).not.toBe(prints[1])
    expect(JSON.stringify(serve({ PASS: "prod" }))).not.toContain("prod")
  })

  it("refuses to go on with a run whose server has another environment now, unless it began in another store", () => {
    const store = openRunStore(scratchDirectory())
    const other = scratchStore()
    const variant = fakeVariant("v", serve({ MODEL: "b.gguf" }))
    const recordBy = (by: typeof store) =>
      ({
        id: "r",
        variants: [{ name: "v", privateFingerprint: privateFingerprint(serve({ MODEL: "a" }), by) }],
      }) as never
    expect(() => checkPrivateIdentity(recordBy(store), [variant], store)).toThrow(
      /has changed since the run was started/,
    )
    expect(() => checkPrivateIdentity(recordBy(other), [variant], store)).not.toThrow()
    store.close()
  })
})

describe("command()", () => {
  it("shows neither the values of its environment nor keys among its arguments", () => {
    const provider = command({
      command: "serve",
      args: ["-m", "model.gguf", "--api-key", "abcdef", "--hf-token=ghijkl", "--max-tokens", "12"],
      readiness: { port: 8080 },
      baseUrl: "http://127.0.0.1:8080/v1",
      model: "m",
    })
    expect(provider.identity).toMatchObject({
      args: ["-m", "model.gguf", "--api-key", "•••", "--hf-token=•••", "--max-tokens", "12"],
    })
  })
})
