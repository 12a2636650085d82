import { startLedgerServer } from "../../test/support/servers/ledger-server.ts"

// The service in a process of its own: `service.ts SEED HABITS` prints its address, and ends with whoever started it.
const [seed = "1", habits = "{}"] = process.argv.slice(2)
const server = await startLedgerServer(JSON.parse(habits), Number(seed))
console.log(server.url)
process.stdin.resume().on("end", () => process.exit())
