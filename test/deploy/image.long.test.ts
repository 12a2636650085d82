import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { validate } from "dockerfile-utils"
import { afterAll, describe, expect, it } from "vitest"
import { deployFolder, kubernetesManifests, root } from "./manifests.ts"

describe("deploy/Containerfile", () => {
  const text = readFileSync(join(deployFolder, "Containerfile"), "utf8")

  it("is one that a builder takes, and ends as a user that is not root", () => {
    expect(validate(text).map(({ message }) => message)).toEqual([])
    expect(validate(text.replace("WORKDIR /work", "WORKDIRR /work"))).not.toEqual([])
    const users = [...text.matchAll(/^USER (.+)$/gm)].map(([, user]) => user)
    expect(users).toEqual(["10001:10001"])
    for (const [, source] of text.matchAll(/^COPY (?:--chmod=\d+ )?(deploy\S+) /gm))
      expect(existsSync(join(root, source as string)), source).toBe(true)
  })

  it("installs the packages that evalkit itself asks for", () => {
    const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const { evalkit, ...others } = JSON.parse(
      readFileSync(join(deployFolder, "image-package.json"), "utf8"),
    ).dependencies
    expect(evalkit).toBe("file:./evalkit.tgz")
    for (const [name, range] of Object.entries(others)) expect(peerDependencies[name]).toBe(range)
    expect(Object.keys(others)).toEqual(["bullmq", "ioredis", "pg"])
  })

  it("builds what runs: the steps of its first stage, tried in a folder", async ({ skip }) => {
    const scratch = mkdtempSync(join(root, "node_modules/.cache-image-"))
    try {
      const npm = (...args: string[]) =>
        execFileSync("npm", args, { cwd: scratch, encoding: "utf8", stdio: "pipe", timeout: 240_000 })
      const packed = npm("pack", root, "--ignore-scripts", "--json")
      copyFileSync(join(scratch, JSON.parse(packed)[0].filename), join(scratch, "evalkit.tgz"))
      copyFileSync(join(deployFolder, "image-package.json"), join(scratch, "package.json"))
      try {
        npm("install", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline")
      } catch (error) {
        console.warn(`the registry did not answer: the image's install is not tried (${String(error).slice(0, 200)})`)
        skip()
      }
      const program = join(scratch, "node_modules/.bin/evalkit")
      expect(execFileSync(program, ["--help"], { encoding: "utf8" })).toContain("worker")
      // As a config in /config finds /node_modules.
      const config = join(scratch, "config")
      mkdirSync(config)
      const data = kubernetesManifests().find(({ manifest }) => manifest.kind === "ConfigMap")?.manifest.data
      for (const [name, content] of Object.entries(data as Record<string, string>))
        writeFileSync(join(config, name), content)
      const plan = execFileSync(program, ["run", join(config, "eval.config.ts"), "--dry-run"], {
        cwd: scratch,
        encoding: "utf8",
        env: { ...process.env, OPENAI_API_KEY: "none" },
      })
      expect(plan).toContain("candidate")
      // Bullmq, ioredis and pg are found, too: nobody listens, and that is what it says.
      const worker = spawnSync(
        program,
        [
          "worker",
          "--config",
          join(config, "eval.config.ts"),
          "--queue",
          "postgres://u@127.0.0.1:1/d",
          "--store",
          "postgres://u@127.0.0.1:1/d",
        ],
        { encoding: "utf8", env: { ...process.env, OPENAI_API_KEY: "none" } },
      )
      expect(worker.stderr).toContain("cannot be reached")
      expect(worker.status).toBe(2)
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }, 300_000)
})

describe("deploy/entrypoint.sh", () => {
  const folder = mkdtempSync(join(root, "node_modules/.cache-entry-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "evalkit"), '#!/bin/sh\nprintf "%s|" "$PGPASSWORD" "$OPENAI_API_KEY" "$SSL_CERT" "$@"\n', {
    mode: 0o755,
  })
  writeFileSync(join(folder, "secret"), "a $(touch x) 'secret' \"of\" `files`\n")
  const run = (environment: Readonly<Record<string, string>>) =>
    spawnSync("sh", [join(deployFolder, "entrypoint.sh"), "run", "a b"], {
      encoding: "utf8",
      env: { PATH: `${folder}:${process.env.PATH}`, OPENAI_API_KEY: "from the environment", ...environment },
    })

  it("reads secrets from the files that variables name, word for word, and no others", () => {
    const secret = join(folder, "secret")
    expect(run({ PGPASSWORD_FILE: secret, SSL_CERT_FILE: secret }).stdout).toBe(
      "a $(touch x) 'secret' \"of\" `files`|from the environment||run|a b|",
    )
  })

  it("says which file cannot be read", () => {
    const { status, stderr } = run({ PGPASSWORD_FILE: join(folder, "absent") })
    expect(status).toBe(2)
    expect(stderr).toContain("PGPASSWORD_FILE names")
  })
})
