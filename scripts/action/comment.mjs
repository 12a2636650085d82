// A step of action.yml: the verdict as a comment of the pull request. A comment of its own, found by a mark that is not shown, is
// renewed; no second one is made. Nothing here fails a job: what could not be written is said in a warning.
import { readFileSync } from "node:fs"
import { join } from "node:path"

const { GITHUB_REPOSITORY: repository = "", GITHUB_API_URL: api = "https://api.github.com" } = process.env
const token = process.env.EVALKIT_TOKEN ?? ""
const author = process.env.EVALKIT_COMMENT_AUTHOR || "github-actions[bot]"
const name = (process.env.EVALKIT_COMMENT_NAME || "evalkit").replaceAll(/[^\w-]/g, "").slice(0, 60) || "evalkit"
const mark = `<!-- evalkit-comment: ${name} -->`

/** GitHub takes 65,536 characters. */
const mostCharacters = 60_000

await main().catch((error) => say(`the comment could not be written: ${error.message}`))

async function main() {
  const pull = pullRequest()
  if (pull === null) return say("this is no pull request, so that there is nothing to comment on")
  if (token === "") return say("there is no token, so that no comment is written: the verdict is in the step's summary")
  const body = `${mark}\n${cut(withoutSecrets(readFileSync(join(".evalkit", "ci", "report.md"), "utf8")))}`
  const own = await findOwn(pull)
  const path = own === null ? `issues/${pull}/comments` : `issues/comments/${own}`
  const answer = await ask(own === null ? "POST" : "PATCH", path, { body })
  if (answer.status === 401 || answer.status === 403 || answer.status === 404)
    return say(
      `the token may not comment (HTTP ${answer.status}), as in a pull request from a fork: the verdict is in the step's summary. ` +
        "Elsewhere, give the job the permission pull-requests: write",
    )
  if (!answer.ok) return say(`the comment could not be written: HTTP ${answer.status}`)
  console.log(own === null ? "evalkit: wrote a comment" : "evalkit: renewed its comment")
}

function pullRequest() {
  const event = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH ?? "", "utf8"))
  const number = event.pull_request?.number
  return Number.isSafeInteger(number) ? number : null
}

/** The id of the comment with the mark that the same author wrote; anyone can copy a mark. */
async function findOwn(pull) {
  for (let page = 1; page <= 30; page++) {
    const answer = await ask("GET", `issues/${pull}/comments?per_page=100&page=${page}`)
    if (!answer.ok) return null
    const comments = await answer.json()
    const own = comments.find(({ body, user }) => user?.login === author && String(body).startsWith(mark))
    if (own) return own.id
    if (comments.length < 100) return null
  }
  return null
}

function ask(method, path, body) {
  return fetch(`${api}/repos/${repository}/${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "user-agent": "evalkit",
      "x-github-api-version": "2022-11-28",
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
}

/** The report has no key in it; should one of the job's own get there nevertheless, it does not get further. */
function withoutSecrets(text) {
  const secrets = Object.entries(process.env).filter(([key]) => /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(key))
  return secrets.reduce((rest, [, value]) => (value && value.length >= 8 ? rest.replaceAll(value, "•••") : rest), text)
}

/** Whole lines; a block of code that is open at the cut is closed. */
function cut(text) {
  if (text.length <= mostCharacters) return text
  const kept = text.slice(0, text.lastIndexOf("\n", mostCharacters))
  const isOpen = (kept.match(/^```/gm) ?? []).length % 2 === 1
  return `${kept}${isOpen ? "\n```" : ""}\n\nThe rest is in the artefact.\n`
}

function say(sentence) {
  const line = withoutSecrets(sentence).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
  console.log(`::notice title=evalkit::${line}`)
}
