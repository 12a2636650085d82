import { describe, expect, it } from "vitest"
import { looksSecret } from "../../src/text/redact.ts"
import { isSecretName, keysOf } from "../../src/text/secrets.ts"

describe("a name that says that its value is a secret", () => {
  it.each([
    "Authorization",
    "x-api-key",
    "apikey",
    "hf_token",
    "accessToken",
    "api-token",
    "token",
    "set-cookie",
    "PGPASSWORD_SECRET",
    "GITHUB_PAT",
    "X-Goog-Signature",
  ])("%s", (name) => expect(isSecretName(name)).toBe(true))

  it.each(["x-author", "x-title", "keyboard", "TOKENIZERS_PARALLELISM", "passage", "monkey", "x-codec"])(
    "not %s",
    (name) => expect(isSecretName(name)).toBe(false),
  )
})

describe("a value that is written as a secret is", () => {
  it.each(["sk-proj-AbC123dEf456", "hunter2hunter2", "xK9mQwErTy", "123456789012", "correct-horse-battery-staple"])(
    "%s",
    (text) => expect(looksSecret(text)).toBe(true),
  )

  it.each(["Team Berlin", "100000", "placeholder", "dummy-key", "not-needed", "EMPTY", "a1"])("not %s", (text) =>
    expect(looksSecret(text)).toBe(false),
  )

  it("and no address or path of the environment, which texts may hold", () => {
    expect(
      keysOf({
        MY_API_KEY: "abc123DEF456",
        SSH_AUTH_SOCK: "/tmp/ssh-x1y2/agent.7",
        OAUTH_TOKEN: "https://a.example/t0",
        PATH: "a1b2c3d4e5",
      }),
    ).toEqual(["abc123DEF456"])
  })
})
