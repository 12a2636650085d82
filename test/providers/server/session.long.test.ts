import { readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { EvalkitError } from "../../../src/core/errors.ts"
import { command } from "../../../src/providers/command.ts"
import type { ServerOptions } from "../../../src/providers/server/options.ts"
import { openServerSession } from "../../../src/providers/server/session.ts"
import { ask, testContext } from "../../support/ask.ts"

const script = fileURLToPath(new URL("../../support/small-server.mjs", import.meta.url))

function options(mode: string, more: Partial<ServerOptions> = {}): ServerOptions {
  return {
    command: process.execPath,
    args: [script, mode],
    readiness: { logPattern: /listening on (\S+)/, timeoutMs: 10_000 },
    baseUrl: (line) => line[1] as string,
    model: "small",
    label: "small",
    ...more,
  }
}

const environment = { ...process.env, SOME_TOKEN: "very-secret-token" }

async function failureOf(serverOptions: ServerOptions): Promise<EvalkitError> {
  try {
    await openServerSession(serverOptions, testContext(environment))
  } catch (error) {
    if (error instanceof EvalkitError) return error
    throw error
  }
  throw new Error("the server opened")
}

/** Of Linux only. A dead process that nobody has waited for is still listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

describe("openServerSession", () => {
  it("knows the size of the model that the command names", async () => {
    const model = fileURLToPath(new URL("../../../models/tiny/tiny-s-f16.gguf", import.meta.url))
    const session = await openServerSession(
      options("normal", { args: [script, "normal", "0", "small", "--model", model] }),
      testContext(environment),
    )
    expect((await session.resources()).modelBytes).toBe(statSync(model).size)
    await session.close()
  })

  it("starts, waits for its line, answers, reports what it used, and stops", async () => {
    const session = await openServerSession(options("normal", { modelBytes: 7 }), testContext(environment))
    const answer = await ask(session)
    const resources = await session.resources()
    await session.close()
    await session.close()
    expect(answer).toMatchObject({ outcome: "ok", text: "hi" })
    expect(resources.modelBytes).toBe(7)
    expect(resources.loadMs).toBeGreaterThan(0)
    expect(resources.peakRssBytes).toBeGreaterThan(20e6)
    expect(resources.rssOverIdleBytes).toBeGreaterThanOrEqual(0)
    expect(resources.cpuSeconds).toBeGreaterThan(0)
    expect((await ask(session)).outcome).not.toBe("ok")
  })

  it("shows the last lines of a server that dies, without secrets", async () => {
    const error = await failureOf(options("die"))
    expect(error.code).toBe("server_died")
    expect(error.message).toContain("exit code 3")
    expect(error.message).toContain("cannot load model, key •••")
    expect(error.message).not.toContain("very-secret-token")
  })

  it.each([
    [
      "is never ready",
      options("never", { readiness: { logPattern: /listening/, timeoutMs: 300 } }),
      "server_not_ready",
    ],
    [
      "has no such health page",
      options("normal", { readiness: { url: "http://127.0.0.1:9/health", timeoutMs: 300 } }),
      "server_not_ready",
    ],
    ["cannot be started", options("", { command: "/no/such/program" }), "server_died"],
    [
      "does not answer its warm-up",
      options("mute", { readiness: { logPattern: /listening on (\S+)/, timeoutMs: 4000 } }),
      "server_warm_up_failed",
    ],
  ])("fails clearly when the server %s", async (_, serverOptions, code) => {
    expect((await failureOf(serverOptions)).code).toBe(code)
  })

  it("ends requests as connection failures once the server has died, and notes how it ended", async () => {
    const session = await openServerSession(options("crash"), testContext(environment))
    const answers = [await ask(session), await ask(session)]
    await expect.poll(() => session.notes().join("\n")).toContain("exit code 9")
    await session.close()
    expect(answers.map(({ outcome }) => outcome)).toEqual(["connection", "connection"])
  })

  it("kills a server that ignores SIGTERM after the grace", async () => {
    let url = ""
    const baseUrl: ServerOptions["baseUrl"] = (line) => {
      url = line[1] as string
      return url
    }
    const session = await openServerSession(options("stubborn", { graceMs: 100, baseUrl }), testContext(environment))
    expect((await ask(session)).outcome).toBe("ok")
    await session.close()
    await expect(fetch(url)).rejects.toThrow("fetch failed")
    expect((await ask(session)).outcome).toBe("client_fault")
  })

  it.runIf(process.platform === "linux")("measures and stops the whole process tree", async () => {
    let pids: number[] = []
    const first = options("family", {
      readiness: { logPattern: /^pids (?<pids>.*)$/, timeoutMs: 10_000 },
      baseUrl: (line) => {
        pids = (line.groups?.pids ?? "").split(" ").map(Number)
        return "http://127.0.0.1:9/v1"
      },
      warmUpRequests: 0,
    })
    const session = await openServerSession(first, testContext(environment))
    expect(pids.map(isRunning)).toEqual([true, true])
    await expect.poll(async () => (await session.resources()).peakRssBytes, { timeout: 10_000 }).toBeGreaterThan(100e6)
    await session.close()
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false])
  })
})

describe("the port of a server", () => {
  async function listenOnFreePort() {
    const other = createServer((_, response) => response.end("{}"))
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    return { other, port: (other.address() as AddressInfo).port }
  }
  const onPort = (port: number, more: Partial<ServerOptions> = {}) =>
    options("normal", {
      args: [script, "normal", String(port), "model-b"],
      readiness: { url: `http://127.0.0.1:${port}/health`, timeoutMs: 10_000 },
      baseUrl: `http://127.0.0.1:${port}/v1`,
      ...more,
    })

  it("must be free before the server is started: else another model would answer", async () => {
    const { other, port } = await listenOnFreePort()
    const error = await failureOf(onPort(port))
    other.close()
    expect(error.code).toBe("port_taken")
    expect(error.message).toMatch(new RegExp(`port ${port} is taken.*another server of this run`))
  }, 20_000)

  it("is waited for while the server of an earlier run is still ending", async () => {
    const { other, port } = await listenOnFreePort()
    setTimeout(() => other.close(), 500)
    const session = await openServerSession(onPort(port), testContext(environment))
    expect(session.servedIdentity?.()).toEqual({ models: [{ id: "model-b" }] })
    await session.close()
  })

  it.runIf(process.platform === "linux")(
    "must be served by a process of the server, unless the config says otherwise",
    async () => {
      const { other, port } = await listenOnFreePort()
      other.close()
      // The command hands its port to a process that is no child of it, as a container's command does.
      const elsewhere = {
        args: ["-e", "setTimeout(() => {}, 1e6)"],
      }
      const starting = failureOf(onPort(port, elsewhere))
      setTimeout(() => other.listen(port, "127.0.0.1"), 300)
      const error = await starting
      expect(error.code).toBe("foreign_listener")
      const rest = onPort(port, { ...elsewhere, listensElsewhere: true, warmUpRequests: 0 })
      other.close()
      other.closeAllConnections()
      const opening = openServerSession(rest, testContext(environment))
      setTimeout(() => other.listen(port, "127.0.0.1"), 300)
      await (await opening).close()
      other.close()
      other.closeAllConnections()
    },
    20_000,
  )
})

describe("command()", () => {
  it("runs alone, and hides values of its environment from its identity", () => {
    const provider = command({
      command: "/opt/vllm/bin/vllm",
      args: ["serve", "m"],
      environment: { HF_TOKEN: "hf_secret" },
      readiness: { port: 8000 },
      baseUrl: "http://127.0.0.1:8000/v1",
      model: "m",
      quantization: "AWQ",
    })
    expect(provider).toMatchObject({
      kind: "command",
      label: "vllm m",
      endpoint: "127.0.0.1:8000",
      exclusive: true,
      quantization: "AWQ",
    })
    expect(JSON.stringify(provider.identity)).not.toContain("hf_secret")
  })

  it("never gives its arguments to a shell", async () => {
    const provider = command({
      command: process.execPath,
      args: ["-e", "console.error(process.argv[1]); process.exit(1)", "$(whoami); `id`"],
      readiness: { port: 9, timeoutMs: 5000 },
      baseUrl: "http://127.0.0.1:9/v1",
      model: "m",
    })
    await expect(provider.open(testContext(environment))).rejects.toThrow("$(whoami); `id`")
  })
})
