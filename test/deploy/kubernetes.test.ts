import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { faultsOf } from "../docs/known-command.ts"
import { kubernetesManifests, type Manifest, root, typeFaults } from "./manifests.ts"

interface Pod {
  readonly securityContext: object
  readonly containers: readonly {
    readonly args: readonly string[]
    readonly env?: readonly { readonly name: string; readonly value?: string }[]
    readonly resources: { readonly requests: object; readonly limits: object }
    readonly securityContext: object
    readonly livenessProbe?: { readonly exec: { readonly command: readonly string[] } }
  }[]
}

describe("deploy/kubernetes", () => {
  const manifests = kubernetesManifests()
  const folder = mkdtempSync(join(root, "node_modules/.cache-deploy-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const pods = manifests.flatMap(({ manifest }) => {
    const { template } = (manifest.spec ?? {}) as { template?: { spec: Pod } }
    return template ? [template.spec] : []
  })

  it("has the fields of its kinds, and none that these do not have", () => {
    expect(
      typeFaults(
        manifests.map(({ manifest }) => manifest),
        folder,
      ),
    ).toBe("")
    const wrong = JSON.parse(
      JSON.stringify(manifests.map(({ manifest }) => manifest)).replaceAll('"image":', '"picture":'),
    )
    expect(typeFaults(wrong as Manifest[], folder)).toContain("picture")
  }, 120_000)

  it("names kinds that a cluster has by the versions that it serves", () => {
    expect(manifests.map(({ file, manifest }) => `${file}: ${manifest.apiVersion} ${manifest.kind}`)).toEqual([
      "autoscaling-postgres.yaml: keda.sh/v1alpha1 TriggerAuthentication",
      "autoscaling-postgres.yaml: keda.sh/v1alpha1 ScaledObject",
      "autoscaling-redis.yaml: keda.sh/v1alpha1 TriggerAuthentication",
      "autoscaling-redis.yaml: keda.sh/v1alpha1 ScaledObject",
      "config.yaml: v1 ConfigMap",
      "config.yaml: v1 ConfigMap",
      "coordinator.yaml: batch/v1 Job",
      "secret.example.yaml: v1 Secret",
      "worker.yaml: apps/v1 Deployment",
    ])
  })

  it("runs as nobody, on a root that cannot be written, without capabilities, within stated resources", () => {
    expect(pods).toHaveLength(2)
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
      for (const { securityContext: own, resources } of containers) {
        expect(own).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        })
        expect(Object.keys(resources.requests)).toEqual(["cpu", "memory"])
        expect(resources.limits).toHaveProperty("memory")
      }
    }
  })

  it("holds no secret, and names only objects that it has", () => {
    const secret = manifests.find(({ manifest }) => manifest.kind === "Secret")?.manifest
    expect(Object.values(secret?.stringData as object).every((value) => value === "")).toBe(true)
    const names = manifests.map(({ manifest }) => (manifest.metadata as { name: string }).name)
    const text = JSON.stringify(pods)
    for (const [, name] of text.matchAll(/(?:Ref":\{|"configMap":\{)"name":"([^"]+)"/g)) expect(names).toContain(name)
    for (const { containers } of pods) expect(containers.every(({ env }) => env === undefined)).toBe(true)
  })

  it("gives evalkit commands and options that it has, and a probe that looks at the file that the worker touches", async () => {
    for (const { containers } of pods)
      for (const { args, livenessProbe } of containers) {
        expect(await faultsOf(args)).toEqual([])
        const file = args[args.indexOf("--alive") + 1] as string
        if (livenessProbe) expect(livenessProbe.exec.command.join(" ")).toContain(file)
      }
    expect(await faultsOf(["worker", "--livelier", "x"])).toEqual(["evalkit worker has no option --livelier"])
  })

  it("scales on what the queue's engine keeps its slices in", () => {
    const triggers = manifests.flatMap(({ manifest }) =>
      manifest.kind === "ScaledObject"
        ? (manifest.spec as { triggers: { metadata: Record<string, string> }[] }).triggers
        : [],
    )
    // test/queue holds that a queue has its slices in these lists and this table.
    expect(triggers.map(({ metadata }) => metadata.listName ?? metadata.query)).toEqual([
      "SELECT count(*) FROM evalkit_queue.job WHERE queue = 'QUEUENAME' AND state IN ('waiting', 'active')",
      "bull:QUEUENAME:wait",
      "bull:QUEUENAME:active",
    ])
  })
})
