import { startChaosServer } from "../../test/support/chaos/server.ts"

/** The chaos server in a process of its own: says where it is, tells its log when it is asked, and lives as long as who started it. */
const server = await startChaosServer()
process.send?.({ url: server.url(0), tls: server.tls })
process.on("message", (message) => {
  if (message === "reset") server.reset()
  process.send?.({ log: server.log() })
})
process.once("disconnect", () => process.exit(0))
