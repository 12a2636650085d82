import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../../support/cli.ts"
import { ensurePage } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { keepRun } from "../../support/synthetic/store.ts"
import { type RunningView, send, startView, until } from "./world.ts"

const cwd = scratchDirectory()
const token = "a-token-of-the-team-0123456789"

describe("who may look at evalkit view", () => {
  let view: RunningView

  beforeAll(async () => {
    await ensurePage()
    await keepRun(join(cwd, ".evalkit"), syntheticInput({ samples: 10 }), { id: "aaaa1111" })
    view = await startView(cwd)
  })

  afterAll(() => view?.close())

  it("nobody without the token: the refusal says what to do, and nothing of the runs", async () => {
    for (const path of ["", "run/aaaa1111", "compare?a=aaaa1111&b=aaaa1111", "?token=wrong", "?token="]) {
      const { status, text } = await view.get(path, {})
      expect(status).toBe(403)
      expect(text).toContain("A token is needed")
      expect(text).not.toContain("aaaa1111")
    }
    expect((await view.get("?token=wrong", {})).text).toContain("did not open this page")
    expect((await view.get("", {})).text).not.toContain("did not open this page")
    const wrong: readonly Record<string, string>[] = [
      { authorization: "Bearer wrong" },
      { authorization: `Basic ${view.allowed.authorization}` },
      { cookie: "evalkit_view_1=wrong" },
    ]
    for (const headers of wrong) expect((await view.get("", headers)).status).toBe(403)
    expect((await view.get("")).status).toBe(200)
  })

  it("a first visit with the token gives a cookie that scripts cannot read, and goes on without the token", async () => {
    const first = await send(`${view.url}run/aaaa1111?token=${new URL(view.address).searchParams.get("token")}`)
    expect(first.status).toBe(200)
    expect(first.text).toContain('content="0; url=/run/aaaa1111"')
    const cookie = String(first.headers["set-cookie"])
    expect(cookie).toMatch(/^evalkit_view_\d+=[\w-]+; HttpOnly; SameSite=Strict; Path=\/;/)
    expect(cookie).not.toContain(String(new URL(view.address).searchParams.get("token")))
    const pair = cookie.split(";")[0] as string
    const { status, text } = await view.get("run/aaaa1111", { cookie: pair })
    expect(status).toBe(200)
    expect(text).toContain('<div id="page">')
    expect((await view.get("", { cookie: `${pair}x` })).status).toBe(403)
    for (const path of ["//evil.example/", "/\\evil.example/"]) {
      const away = await send(
        `${view.url.slice(0, -1)}${path}?token=${new URL(view.address).searchParams.get("token")}`,
      )
      expect(away.text).not.toContain("url=//")
    }
  })

  it("whoever types the token into the form of the refusal gets the cookie, and comes to the page they wanted", async () => {
    const right = new URL(view.address).searchParams.get("token") ?? ""
    const type = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      send(view.url + path, {
        method: "POST",
        headers: { origin: view.url.slice(0, -1), "content-type": "application/x-www-form-urlencoded", ...headers },
        body,
      })
    const refused = (await view.get("run/aaaa1111?report=last&token=wrong", {})).text
    expect(refused).toContain('<form method="post"><')
    expect(refused).toMatch(/<label><span>token<\/span><input type="password" name="token" required/)
    expect(refused).not.toMatch(/aaaa1111|<script/)
    const entered = await type("run/aaaa1111?report=last&token=wrong", `token=${encodeURIComponent(` ${right} `)}`)
    expect(entered).toMatchObject({ status: 303, text: "", headers: { location: "/run/aaaa1111?report=last" } })
    const cookie = String(entered.headers["set-cookie"])
    expect(cookie).not.toContain(right)
    expect((await view.get("run/aaaa1111", { cookie: cookie.split(";")[0] as string })).status).toBe(200)
    for (const body of ["token=wrong", "token=", "x=1", `form=${right}`]) {
      const { status, text, headers } = await type("run/aaaa1111", body)
      expect({ body, status, cookie: headers["set-cookie"] }).toEqual({ body, status: 403 })
      expect(text.includes("did not open this page")).toBe(body.startsWith("token"))
      expect(text).not.toContain("value=")
    }
    expect((await type("", `token=${right}`, { "content-type": "text/plain" })).status).toBe(403)
    expect((await type("", `token=${"x".repeat(70_000)}`)).status).toBe(413)
    expect((await type("/evil.example/", `token=${right}`)).headers.location).toBe("/")
    expect((await send(view.url, { method: "DELETE" })).status).toBe(403)
  })

  it("no other host or origin, with the token or without", async () => {
    const { port } = new URL(view.url)
    const foreign: readonly Record<string, string>[] = [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: "127.0.0.1.evil.example" },
      { host: `127.0.0.1:1` },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "null", "sec-fetch-site": "cross-site" },
    ]
    const typed = new URLSearchParams({ token: new URL(view.address).searchParams.get("token") ?? "" }).toString()
    for (const headers of foreign) {
      const form = { "content-type": "application/x-www-form-urlencoded", ...headers }
      const sent = await send(view.url, { method: "POST", headers: form, body: typed })
      expect({ headers, status: sent.status, cookie: sent.headers["set-cookie"] }).toEqual({ headers, status: 403 })
      expect(sent.text).not.toContain("<form")
    }
    for (const headers of foreign)
      expect({ headers, status: (await view.get("", { ...view.allowed, ...headers })).status }).toEqual({
        headers,
        status: 403,
      })
    const own: readonly Record<string, string>[] = [
      { host: `localhost:${port}` },
      { origin: "null", "sec-fetch-site": "same-origin" },
    ]
    for (const headers of own) expect((await view.get("", { ...view.allowed, ...headers })).status).toBe(200)
  })

  it("every page has the headers that keep it apart from others", async () => {
    for (const path of ["", "run/aaaa1111", "nothing", "compare?run=aaaa1111&run=aaaa1111"]) {
      const { headers } = await view.get(path)
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
      })
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'")
    }
    expect((await view.get("")).headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/)
  })

  it("says that there is no such page or run, and takes forms for labels alone", async () => {
    for (const path of [
      "nothing",
      "run/ffff",
      "run/..%2f..%2fetc",
      "run/aaaa1111/more",
      "compare?a=ffff&b=aaaa1111",
      "%zz",
    ])
      expect({ path, status: (await view.get(path)).status }).toEqual({ path, status: 404 })
    expect((await send(view.url, { method: "DELETE", headers: view.allowed })).status).toBe(405)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const post = (body: string, headers = {}) =>
      send(`${view.url}label/aaaa1111`, { method: "POST", headers: { ...view.allowed, ...form, ...headers }, body })
    expect((await post("labeller=ann")).status).toBe(403)
    expect((await post("form=guessed&labeller=ann")).status).toBe(403)
    expect((await post("x", { "content-type": "text/plain" })).status).toBe(400)
    expect((await post(`form=${"x".repeat(70_000)}`)).status).toBe(413)
  })
})

describe("evalkit view for a team", () => {
  it("refuses to listen beyond this machine without a token, with a token that can be guessed, and without its file", async () => {
    const refused = async (args: readonly string[], environment = {}) => {
      const { code, stdout, stderr } = await runCli(["view", ...args], { cwd, environment })
      expect(stdout).toBe("")
      expect(code).toBe(2)
      return stderr
    }
    expect(await refused(["--host", "0.0.0.0"])).toContain("others than this machine may only look with a token")
    expect(await refused(["--host", "0.0.0.0"], { EVALKIT_VIEW_TOKEN: "short" })).toContain("at least 16 visible ASCII")
    expect(await refused(["--host", "0.0.0.0", "--token-file", "nowhere.txt"])).toContain("cannot be read")
    expect(await refused(["--port", "99999"])).toContain("a port is a whole number")
    writeFileSync(join(cwd, "empty.txt"), "\n")
    expect(await refused(["--token-file", "empty.txt"])).toContain("the file of the token is empty")
    rmSync(join(cwd, "empty.txt"))
  })

  it("shows the runs read only to whoever has the token, by header and by cookie, and never prints it", async () => {
    const file = join(cwd, "token.txt")
    writeFileSync(file, `${token}\n`)
    const view = await startView(cwd, ["--host", "0.0.0.0", "--token-file", "token.txt"])
    try {
      expect(view.address).not.toContain(token)
      await until(
        async () => view.complained(),
        (words) => words.includes("read only"),
      )
      expect(view.complained()).not.toContain(token)
      const allowed = { authorization: `Bearer ${token}` }
      expect((await view.get("", {})).status).toBe(403)
      expect((await view.get("", { authorization: `Bearer ${token}x` })).status).toBe(403)
      // A team comes by the machine's name.
      expect((await view.get("", { ...allowed, host: "evals.example:8080" })).text).toContain("aaaa1111")
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const typed = await send(view.url, { method: "POST", headers: form, body: `token=${token}` })
      expect(typed.status).toBe(303)
      const { headers } = await view.get(`?token=${token}`, {})
      const cookie = String(headers["set-cookie"]).split(";")[0] as string
      expect((await view.get("", { cookie })).status).toBe(200)
      for (const path of ["label/aaaa1111", "", "run/aaaa1111"]) {
        const sent = await send(view.url + path, {
          method: "POST",
          headers: { ...allowed, "content-type": "application/x-www-form-urlencoded" },
          body: "labeller=ann",
        })
        expect(sent.status).toBe(403)
        expect(sent.text).toContain("read only")
      }
    } finally {
      await view.close()
    }
  })

  it("takes the token from the environment, and is read only on this machine where that is asked", async () => {
    const view = await startView(cwd, ["--read-only"], { EVALKIT_VIEW_TOKEN: token })
    try {
      expect(view.address).not.toContain(token)
      expect((await view.get("")).status).toBe(200)
      const form = { ...view.allowed, "content-type": "application/x-www-form-urlencoded" }
      expect((await send(`${view.url}label/aaaa1111`, { method: "POST", headers: form, body: "" })).status).toBe(403)
    } finally {
      await view.close()
    }
  })
})
