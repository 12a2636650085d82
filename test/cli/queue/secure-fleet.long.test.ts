import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createFleet, type Fleet, waitsForSlices, writeFleetProject } from "../../support/fleet/fleet.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { type Certificates, hasOpenssl, makeCertificates } from "../../support/servers/certificates.ts"
import { type PostgresServer, postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"
import { hasRedis, type RedisServer, startRedis } from "../../support/servers/redis-server.ts"

const isThere = hasOpenssl && hasRedis && postgresBinaries !== null
const secret = "a-word-that-nobody-may-see"

describe.skipIf(!isThere)("a fleet over TLS, with a user of the queue that may do nothing else", () => {
  const folder = scratchDirectory()
  let certificates: Certificates
  let other: Certificates
  let postgres: PostgresServer
  let redis: RedisServer
  const fleets: Fleet[] = []
  beforeAll(async () => {
    writeFleetProject(folder, 40)
    certificates = makeCertificates(scratchDirectory())
    other = makeCertificates(scratchDirectory())
    postgres = await startPostgres({ tls: certificates })
    redis = await startRedis({ tls: certificates })
    const guide = readFileSync(new URL("../../../docs/guides/many-machines.md", import.meta.url), "utf8")
    const [, rights = ""] = /```text\n(ACL SETUSER [^\n]*)\n```/.exec(guide) ?? []
    await redis.command(...rights.replace("PASSWORD", secret).split(" "))
  }, 60_000)
  afterAll(async () => {
    for (const fleet of fleets) fleet.end()
    await redis?.stop()
    await postgres?.stop()
  })

  const queueUrl = (password = secret) => `rediss://evalkit:${password}@127.0.0.1:${redis.port}`
  const storeUrl = ({ authority } = certificates, password?: string) => {
    const url = new URL(postgres.url)
    if (password !== undefined) url.password = password
    url.searchParams.set("sslmode", "verify-full")
    url.searchParams.set("sslrootcert", authority)
    return url.href
  }
  const fleetWith = (queue: string, store: string, trusted: Certificates | null = certificates): Fleet => {
    const environment = { ...(trusted && { NODE_EXTRA_CA_CERTS: trusted.authority }) }
    const fleet = createFleet({ folder, queue, store, askUrl: null, concurrency: 4, environment })
    fleets.push(fleet)
    return fleet
  }
  /** What a coordinator says that cannot begin. */
  const refusal = async (fleet: Fleet) => {
    const single = fleet.coordinator()
    const exitCode = await single.ended
    expect(single.said()).not.toContain(secret)
    return { exitCode, said: single.said() }
  }

  it("makes a run, and no command is denied to the user that the guide describes", async () => {
    const fleet = fleetWith(queueUrl(), storeUrl())
    // The run is over in a second: a worker that began later would wait for the next one.
    const workers = [0, 1].map((i) => fleet.worker(`w${i}`))
    await Promise.all(workers.map(waitsForSlices))
    const coordinator = fleet.coordinator()
    const said = () => coordinator.said() + workers.map((member) => member.said()).join("")
    expect(await coordinator.ended, `${said()}${JSON.stringify(await redis.command("ACL", "LOG"))}`).toBe(0)
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
    expect(await redis.command("ACL", "LOG")).toEqual([])
    expect(said()).not.toContain(secret)
  }, 120_000)

  it("is refused by a queue or a store whose authority it does not know", async () => {
    const queue = await refusal(fleetWith(queueUrl(), storeUrl(), null))
    expect(queue).toMatchObject({ exitCode: 2 })
    expect(queue.said).toMatch(/the queue cannot be reached: .*certificate.*rediss:\/\/evalkit@127\.0\.0\.1/s)
    const store = await refusal(fleetWith(queueUrl(), storeUrl(other)))
    expect(store).toMatchObject({ exitCode: 2 })
    expect(store.said).toMatch(/certificate/)
  }, 120_000)

  it("says in one sentence that a password is wrong, and shows neither the right nor the wrong one", async () => {
    const wrong = "another-word-that-nobody-may-see"
    const queue = await refusal(fleetWith(queueUrl(wrong), storeUrl()))
    expect(queue).toMatchObject({ exitCode: 2 })
    expect(queue.said).toMatch(/the queue cannot be reached: WRONGPASS/)
    const store = await refusal(fleetWith(queueUrl(), storeUrl(certificates, wrong)))
    expect(store).toMatchObject({ exitCode: 2 })
    expect(store.said).toMatch(/password authentication failed/)
    expect(queue.said + store.said).not.toContain(wrong)
    const worker = fleetWith(queueUrl(wrong), storeUrl()).worker("w")
    expect(await worker.ended).toBe(2)
    expect(worker.said()).toMatch(/the queue cannot be reached: WRONGPASS/)
    expect(worker.said()).not.toContain(wrong)
  }, 120_000)
})
