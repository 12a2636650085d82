// One process of those that share quotas: a worker leases, uses and gives back; a coordinator takes back what can be had; one that
// charges writes two quotas in one transaction, in the order of its number.
const [entry, url, kind, number, rounds] = process.argv.slice(2)
const { postgres } = await import(entry)
const store = postgres(url).open()
const lease = { quota: "usd", worker: Number(number) }
let statements = 0
const both = Number(number) % 2 === 0 ? ["usd", "tokens"] : ["tokens", "usd"]
for (let i = 0; i < Number(rounds); i++) {
  if (kind === "coordinator") store.reclaim("r", 60)
  else if (kind === "charging")
    store.atomically(() => {
      for (const quota of both) store.charge("c", { quota, worker: Number(number) }, 1, ++statements)
    })
  else if (store.lease("r", lease, 3, 1, ++statements)) {
    store.settle("r", lease, 2, 1, ++statements)
    store.keepOpen("r", lease, 0)
  }
}
store.close()
