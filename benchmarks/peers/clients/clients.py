"""Asks `evalkit serve` as its clients do: see README.md. Prints a row for each thing that a run needs."""

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version

import openai

BASE, MODEL, FOLDER = sys.argv[1:4]
os.environ |= {"OPENAI_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_OFFLINE": "1"}
QUESTION = [{"role": "user", "content": "What is 12 + 30?"}]
TOOL = {"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}}}
FAULTS = 0


def row(client, package, what):
    def run(ask):
        global FAULTS
        try:
            result = ask()
        except Exception as error:  # noqa: BLE001 - a fault is a row
            FAULTS += 1
            result = f"FAULT: {type(error).__name__}: {error}".replace("\n", " ")[:300]
        print(f"| {client} | {version(package)} | {what} | {result} |", flush=True)
        return ask

    return run


def expect(condition, value):
    if not condition:
        raise AssertionError(repr(value)[:300])
    return "works"


client = openai.OpenAI(base_url=BASE, api_key="none", max_retries=0)


@row("openai", "openai", "answer, usage, log-probabilities")
def _():
    answer = client.chat.completions.create(model=MODEL, messages=QUESTION, temperature=0, max_tokens=16, logprobs=True, top_logprobs=3)
    choice = answer.choices[0]
    return expect(choice.message.content and len(choice.logprobs.content) >= answer.usage.completion_tokens - 1 > 0, answer)


@row("openai", "openai", "stream with usage equals the answer")
def _():
    asked = {"model": MODEL, "messages": QUESTION, "temperature": 0, "max_tokens": 16}
    whole = client.chat.completions.create(**asked)
    chunks = list(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    return expect(text == whole.choices[0].message.content and chunks[-1].usage == whole.usage, (text, whole))


@row("openai", "openai", "JSON schema, parsed")
def _():
    from pydantic import BaseModel

    class Sum(BaseModel):
        value: bool

    answer = client.chat.completions.parse(model=MODEL, messages=QUESTION, response_format=Sum, max_tokens=64)
    return expect(isinstance(answer.choices[0].message.parsed, Sum), answer)


@row("openai", "openai", "a required function")
def _():
    answer = client.chat.completions.create(model=MODEL, messages=QUESTION, tools=[TOOL], tool_choice="required", max_tokens=200)
    call = answer.choices[0].message.tool_calls[0].function
    # The tiny model was never taught to end them.
    ended = answer.choices[0].finish_reason == "length" or "a" in json.loads(call.arguments)
    return expect(call.name == "add" and ended, answer)


@row("openai", "openai", "completions: a list of prompts, echo")
def _():
    answer = client.completions.create(model=MODEL, prompt=["The aunt", "What is"], max_tokens=1, logprobs=1, echo=True, temperature=0)
    return expect([c.index for c in answer.choices] == [0, 1] and answer.choices[0].text.startswith("The aunt"), answer)


@row("openai", "openai", "embeddings (base64), models")
def _():
    vectors = client.embeddings.create(model=MODEL, input=["a", "b"]).data
    return expect(len(vectors) == 2 and abs(sum(x * x for x in vectors[0].embedding) - 1) < 1e-3 and client.models.retrieve(MODEL).id == MODEL, vectors)


def refused(ask, param):
    try:
        ask()
    except openai.APIStatusError as error:
        expect(param is None or param in (error.body or {}).get("message", "") + str((error.body or {}).get("param")), error.body)
        return f"refused: {error.status_code} {(error.body or {}).get('message', '')[:90]}"
    raise AssertionError("it was served")


for name, given in {"n": {"n": 2}, "logit_bias": {"logit_bias": {"5": 1}}, "frequency_penalty": {"frequency_penalty": 1}}.items():
    row("openai", "openai", name)(lambda: refused(lambda: client.chat.completions.create(model=MODEL, messages=QUESTION, **given), name))
row("openai", "openai", "another model")(lambda: refused(lambda: client.chat.completions.create(model="gpt-4o", messages=QUESTION), "gpt-4o"))
row("openai", "openai", "a picture")(lambda: refused(lambda: client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]}]), "image_url"))
row("openai", "openai", "a prompt that is too long")(lambda: refused(lambda: client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "word " * 600}]), "messages"))
row("openai", "openai", "Responses API")(lambda: refused(lambda: client.responses.create(model=MODEL, input="a"), None))


@row("LiteLLM", "litellm", "answer, stream, usage")
def _():
    import litellm

    asked = {"model": f"openai/{MODEL}", "api_base": BASE, "messages": QUESTION, "temperature": 0, "max_tokens": 16}
    whole = litellm.completion(**asked)
    text = "".join(c.choices[0].delta.content or "" for c in litellm.completion(**asked, stream=True))
    return expect(text == whole.choices[0].message.content and whole.usage.total_tokens > 0, (text, whole))


@row("LiteLLM", "litellm", "text completion, embedding, function")
def _():
    import litellm

    text = litellm.text_completion(model=f"text-completion-openai/{MODEL}", api_base=BASE, prompt=["The aunt", "What"], max_tokens=2)
    vector = litellm.embedding(model=f"openai/{MODEL}", api_base=BASE, input=["a"])
    called = litellm.completion(model=f"openai/{MODEL}", api_base=BASE, messages=QUESTION, tools=[TOOL], tool_choice="required", max_tokens=200)
    return expect(len(text.choices) == 2 and vector.data and called.choices[0].message.tool_calls, (text, called))


@row("LiteLLM", "litellm", "context window error is its own class")
def _():
    import litellm

    try:
        litellm.completion(model=f"openai/{MODEL}", api_base=BASE, messages=[{"role": "user", "content": "word " * 600}], num_retries=0)
    except litellm.ContextWindowExceededError:
        return "refused: ContextWindowExceededError"
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}") from error
    raise AssertionError("it was served")


@row("LangChain", "langchain-openai", "answer, stream, batch, structured output, functions")
def _():
    from langchain_openai import ChatOpenAI
    from pydantic import BaseModel

    class Sum(BaseModel):
        """A sum."""

        value: bool

    chat = ChatOpenAI(model=MODEL, base_url=BASE, temperature=0, max_tokens=64)
    answer = chat.invoke("What is 12 + 30?")
    streamed = "".join(chunk.content for chunk in chat.stream("What is 12 + 30?"))
    expect(answer.content == streamed and answer.usage_metadata["total_tokens"] > 0, (answer, streamed))
    expect(len(chat.batch(["a", "b"])) == 2, "batch")
    expect(isinstance(chat.with_structured_output(Sum, method="json_schema").invoke("What is 1 + 2?"), Sum), "schema")
    return expect(chat.bind_tools([TOOL], tool_choice="required").invoke("add").tool_calls, "functions")


@row("LangChain", "langchain-openai", "OpenAI (completions, a list of prompts), embeddings by token numbers")
def _():
    from langchain_openai import OpenAI, OpenAIEmbeddings

    texts = OpenAI(model=MODEL, base_url=BASE, max_tokens=2, temperature=0).generate(["The aunt", "What is"])
    # It cuts texts by OpenAI's tokenizer unless it is told not to.
    vectors = OpenAIEmbeddings(model=MODEL, base_url=BASE, check_embedding_ctx_length=False).embed_documents(["a", "b"])
    return expect(len(texts.generations) == 2 and len(vectors) == 2, texts)


TASK = """task: tiny
dataset_path: json
dataset_kwargs:
  data_files: {file}
output_type: {kind}
test_split: train
doc_to_text: "{{{{question}}}}"
doc_to_target: "{target}"
doc_to_choice: "{{{{choices}}}}"
target_delimiter: ""
metric_list:
  - metric: acc
"""


def scored(question, answer):
    """The log-probability of an answer behind a question: of an echo that writes nothing."""
    import requests

    def tokens(text):
        return requests.post(f"{BASE[:-3]}/tokenize", json={"prompt": text, "add_special_tokens": False}, timeout=30).json()["tokens"]

    whole, start = tokens(question + answer), len(tokens(question))
    given = client.completions.create(model=MODEL, prompt=whole, echo=True, logprobs=1, max_tokens=0)
    return sum(given.choices[0].logprobs.token_logprobs[start:])


@row("lm-eval, local-completions", "lm-eval", "log-probabilities equal the echo's own, to 1e-6; alone and four at once")
def _():
    rows = [{"question": f"What is {a} + {b}?", "choices": [str(a + b), str(a + b + 1), " none"], "label": 0} for a in range(3, 13) for b in (4, 9)]
    with open(f"{FOLDER}/tiny.jsonl", "w") as file:
        file.writelines(json.dumps(one) + "\n" for one in rows)
    with open(f"{FOLDER}/tiny.yaml", "w") as file:
        file.write(TASK.format(file=f"{FOLDER}/tiny.jsonl", kind="multiple_choice", target="{{label}}"))
    most = 0
    for batch in ("1", "4"):
        with tempfile.TemporaryDirectory(dir=FOLDER) as out:
            arguments = f"model={MODEL},base_url={BASE}/completions,tokenizer_backend=remote,max_length=512,num_concurrent=1,max_retries=1"
            command = [sys.executable, "-m", "lm_eval", "--model", "local-completions", "--model_args", arguments, "--tasks", "tiny", "--include_path", FOLDER, "--batch_size", batch, "--output_path", out, "--log_samples"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            found = [os.path.join(root, name) for root, _, names in os.walk(out) for name in names if name.startswith("samples")]
            if not found:
                raise AssertionError(done.stderr[-250:])
            samples = [json.loads(line) for line in open(found[0])]
        expect(len(samples) == len(rows), samples)
        for sample in samples:
            doc = sample["doc"]
            for choice, resp in zip(doc["choices"], sample["resps"]):
                most = max(most, abs(float(resp[0][0]) - scored(doc["question"], choice)))
    expect(most < 1e-6, most)
    return f"works ({2 * 3 * len(rows)} scores, largest difference {most:.0e})"


sys.exit(1 if FAULTS else 0)
