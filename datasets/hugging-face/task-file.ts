import { readFile } from "node:fs/promises"
import { messageOf, UsageError } from "../../src/core/errors.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { asMembers } from "../../src/core/json-members.ts"

/** How a row becomes a sample, as `field_spec` of an `eval.yaml` says it. */
export interface FieldSpec {
  readonly id: string | null
  readonly input: string
  /** A column, or `literal:` and the answer of every sample. */
  readonly target: string | null
  /** A column with a list, or a column for each choice. */
  readonly choices: string | readonly string[] | null
  readonly metadata: readonly string[]
}

/** A task of an `eval.yaml`: where its rows are in the repository, and how they are read. */
export interface Task {
  readonly id: string | null
  readonly config: string
  readonly split: string
  readonly fields: FieldSpec
}

/** No file that says where data lie is longer. */
const maxBytes = 2 ** 20

/**
 * Reads a task of an `eval.yaml`, with which a repository of the Hugging Face Hub says that it is a benchmark (its shape is that of
 * Inspect's tasks: inspect_ai/_eval/task/hf.py).
 *
 * @param id id of the task; undefined where the file has one
 * @throws UsageError for a file that is no such YAML, or does not have the task
 */
export async function readTask(path: string, shown: string, id: string | undefined): Promise<Task> {
  const bytes = await readFile(path)
  if (bytes.length > maxBytes) throw new UsageError("the YAML is longer than a megabyte", { where: shown })
  const document = asMembers(await yamlValue(bytes.toString("utf8"), shown))
  const tasks = Array.isArray(document?.tasks) ? document.tasks : null
  if (!tasks || tasks.length === 0)
    throw new UsageError("the YAML has no list of tasks", {
      where: shown,
      hint: "eval.yaml of a benchmark on the Hugging Face Hub has one; a config of evalkit is given by: evalkit run FILE",
    })
  const ids = tasks.map((task) => asMembers(task)?.id)
  const at = id === undefined ? (tasks.length === 1 ? 0 : -1) : ids.indexOf(id)
  if (at < 0)
    throw new UsageError(
      id === undefined ? `the YAML has ${tasks.length} tasks` : `the YAML has no task ${JSON.stringify(id)}`,
      { where: shown, hint: `name one with task: ${ids.slice(0, 20).map(String).join(", ")}` },
    )
  return taskOf(tasks[at] as JsonValue, `${shown}: tasks[${at}]`)
}

function taskOf(value: JsonValue, where: string): Task {
  const task = asMembers(value)
  const spec = asMembers(task?.field_spec)
  if (!task || !spec) throw new UsageError("the task has no field_spec", { where })
  const unread = Object.keys(spec).find((name) => !fields.has(name) && spec[name] !== null)
  if (unread !== undefined)
    throw new UsageError(`field_spec.${unread} is not read here`, {
      where,
      hint: "give the data file itself to dataset(), with its fields",
    })
  const text = (name: string): string | null => {
    const column = spec[name]
    if (column === undefined || column === null) return null
    if (typeof column === "string" && column !== "") return column
    throw new UsageError(`field_spec.${name}: expected the name of a column`, { where })
  }
  const input = text("input")
  if (input === null) throw new UsageError("field_spec has no input", { where })
  const { choices } = spec
  return {
    id: typeof task.id === "string" ? task.id : null,
    config: nameOf(task.config ?? "default", `${where}.config`),
    split: nameOf(task.split ?? "test", `${where}.split`),
    fields: {
      id: text("id"),
      input,
      target: text("target"),
      choices: Array.isArray(choices) ? columns(choices, `${where}.field_spec.choices`) : text("choices"),
      metadata: columns(spec.metadata ?? [], `${where}.field_spec.metadata`),
    },
  }
}

const fields = new Set(["id", "input", "target", "choices", "metadata"])

/** A name that becomes a part of a URL, or is compared with names of files. */
function nameOf(value: JsonValue, where: string): string {
  if (typeof value === "string" && /^[\w.+-]{1,200}$/.test(value) && !/^\.+$/.test(value)) return value
  throw new UsageError("expected a name of letters, digits, ., _, + and -", { where })
}

function columns(value: JsonValue, where: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value as string[]
  throw new UsageError("expected a list of names of columns", { where })
}

async function yamlValue(text: string, where: string): Promise<JsonValue> {
  const { parseDocument } = await import("yaml")
  try {
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true })
    const [fault] = document.errors
    if (fault) throw fault
    // Aliases that name each other a thousand times over would fill the memory.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null)) as JsonValue
  } catch (error) {
    throw new UsageError(`the YAML cannot be read: ${messageOf(error)}`, { where, cause: error })
  }
}
