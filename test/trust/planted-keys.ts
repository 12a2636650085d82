import { gunzipSync } from "node:zlib"
import { createRandom } from "../../src/core/random.ts"

const random = createRandom("planted keys")
const letters = (length: number, from = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") =>
  Array.from({ length }, () => from[random.integer(from.length)]).join("")
const base64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Sixteen secrets as services write them, made anew by a seed: no file of the project holds what looks like a key. */
export const plantedKeys = {
  openai: `sk-proj-${letters(40)}`,
  anthropic: `sk-ant-api03-${letters(40)}`,
  google: `AIza${letters(35)}`,
  aws: `${letters(12)}/${letters(12)}+${letters(8)}/${letters(6)}`,
  github: `ghp_${letters(36)}`,
  huggingFace: `hf_${letters(34)}`,
  jwt: `${base64Url({ alg: "HS256" })}.${base64Url({ sub: letters(20) })}.${letters(43)}`,
  basic: Buffer.from(`evaluator:${letters(18)}`).toString("base64"),
  userInfo: letters(20),
  pem: `${"-".repeat(5)}BEGIN PRIVATE KEY-----\n${letters(64)}\n${letters(64)}\n-----END PRIVATE KEY-----\n`,
  slack: `xoxb-${letters(12, "0123456789")}-${letters(24)}`,
  stripe: `sk_live_${letters(24)}`,
  custom: `${letters(7, "abcdefgh")}-${letters(9)}`,
  header: letters(24),
  argument: letters(24),
  body: letters(24),
} as const

export type PlantedKey = keyof typeof plantedKeys

const names: Partial<Record<PlantedKey, string>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GEMINI_API_KEY",
  aws: "AWS_SECRET_ACCESS_KEY",
  github: "GITHUB_TOKEN",
  huggingFace: "HF_TOKEN",
  jwt: "SERVICE_JWT",
  pem: "SIGNING_PRIVATE_KEY",
  slack: "SLACK_BOT_TOKEN",
  stripe: "STRIPE_SECRET_KEY",
  custom: "ACME_PASSWORD",
}

/** What the environment holds of them; the others stand in the config, each in the place that it is named for. */
export const plantedEnvironment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(names).map(([key, name]) => [name, plantedKeys[key as PlantedKey]])),
  DATABASE_URL: `postgres://evaluator:${plantedKeys.userInfo}@database.example/answers`,
}

/** In the place of the keys that the environment holds: what a terminal would obey. */
export const controlTexts: Readonly<Record<string, string>> = {
  ...plantedKeys,
  openai: "clip\u001b]52;c;b3duZWQ=\u0007board",
  anthropic: "title\u001b]0;owned\u0007",
  google: "link\u001b]8;;https://evil.example\u001b\\here\u001b]8;;\u001b\\",
  aws: "clear\u001b[2J\u001b[H",
  github: "up\u001b[9A\u001b[999Dover",
  huggingFace: "c1\u009b2Jred\u009b31m",
  jwt: "osc1\u009d0;owned\u009c",
  userInfo: "dcs\u001bP1;1|x\u001b\\",
  pem: "apc\u001b_Gx\u001b\\ pm\u001b^x\u001b\\",
  slack: "reset\u001bc alone\u001b",
  stripe: "answer is right\rall is well",
  custom: "bell\u0007\u0008\u0000\u007f\u0085",
  hostile: " n\u001b]52;c;b3duZWQ=\u0007\u009b2J",
}

/** What a terminal obeys, but for line feeds and tabs. */
export const controls = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Nine characters of a secret are as good as all of it: its end, as it is and encoded, and of a long one a piece of its middle. */
export function formsOf(secret: string): readonly string[] {
  const own = secret.replace(/^-----BEGIN [A-Z ]*-----\s|\s-----END [A-Z ]*-----\s$/g, "")
  const base64 = Buffer.from(secret).toString("base64")
  const json = JSON.stringify(own).slice(1, -1)
  const middle = own.length < 40 ? [] : [own.slice(-26, -14), base64.slice(20, 36)]
  return [own.slice(-9), json.slice(-9), encodeURIComponent(own).slice(-9), base64.slice(4, 16), ...middle]
}

/** Which secrets stand in which texts, by the name of each. */
export function foundIn(
  texts: Iterable<readonly [where: string, text: string]>,
  secrets: Readonly<Record<string, string>>,
): readonly string[] {
  const forms = Object.entries(secrets).map(([name, secret]) => [name, formsOf(secret)] as const)
  return [...texts].flatMap(([where, text]) =>
    forms.flatMap(([name, all]) => (all.some((form) => text.includes(form)) ? [`${name} in ${where}`] : [])),
  )
}

/** What a page holds packed. */
export const pageBlocks = (page: string) =>
  [...page.matchAll(/>(H4sI[\w+/=]+)</g)].map(([, block = ""]) => gunzipSync(Buffer.from(block, "base64")).toString())
