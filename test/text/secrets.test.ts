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

  it.each([
    "Team Berlin",
    "100000",
    "placeholder",
    "dummy-key",
    "not-needed",
    "EMPTY",
    "a1",
    "oauth2",
    "gpt-4o-mini",
    "llama-3.1-8b",
    "2024-10-21",
  ])("not %s", (text) => expect(looksSecret(text)).toBe(false))

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

  it("but base64 with slashes, each line of a PEM, members of an account, and passwords of addresses", () => {
    const line = "MIIEvQIBADANBgkq7hkiG9w0BAQEF4AASC8kYz"
    const keys = {
      AWS_SECRET_ACCESS_KEY: "wJ4lrXUt/nFEMI7K7MDENG/b2PxRfiCY9kQ",
      SIGNING_KEY: `-----BEGIN KEY-----\n${line}\n-----END KEY-----`,
      ACCOUNT_CREDENTIALS: `{"kind": "service", "private_key": "${line}2\\n"}`,
      DATABASE_URL: "postgres://me:xK9%2FmQwErTy@db.example/x",
      KEY_FILE: "keys/team2-prod/eu1.json",
    }
    const expected = [keys.AWS_SECRET_ACCESS_KEY, line, `${line}2`, "xK9%2FmQwErTy", "xK9/mQwErTy"]
    expect(keysOf(keys)).toEqual(expected)
  })
})
