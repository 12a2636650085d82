"""lm-eval: thirty sums by chat, of two filters, and choices by log-probabilities of an echo; without those that the server refuses, at which it stops."""
import glob, json, os, subprocess, sys
from common import questions
from words import save_words

task = """task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {file}}}
test_split: train
doc_to_text: "{{{{question}}}}"
target_delimiter: " "
{more}
"""
chat = """output_type: generate_until
doc_to_target: "{{answer}}"
generation_kwargs: {until: []}
filter_list:
  - {name: whole, filter: [{function: take_first}]}
  - {name: number, filter: [{function: regex, regex_pattern: "([0-9])", group_select: -1}, {function: take_first}]}
metric_list: [{metric: exact_match}]"""
choices = """output_type: multiple_choice
doc_to_target: 0
doc_to_choice: ["{{answer}}", "{{answer}}1", "none of it"]
metric_list: [{metric: acc}, {metric: acc_norm}]"""
os.makedirs("tasks")
save_words("tokenizer")
rows = [row for row in questions() if not row["id"].endswith("9")]
open("rows.jsonl", "w").write("".join(json.dumps(row) + "\n" for row in rows))
url = os.environ["MOCK"] + "/v1/"
runs = {
    "sums": (chat, "local-chat-completions", f"model=mock-a,base_url={url}chat/completions,num_concurrent=1", ["--apply_chat_template"]),
    "choices": (choices, "local-completions", f"model=mock-a,base_url={url}completions,tokenizer=tokenizer,tokenized_requests=False", []),
}
for name, (more, model, arguments, options) in runs.items():
    open(f"tasks/{name}.yaml", "w").write(task.format(name=name, file=os.path.abspath("rows.jsonl"), more=more))
    subprocess.run([sys.executable, "-m", "lm_eval", "--model", model, "--model_args", arguments, "--tasks", name, "--include_path", "tasks",
                    "--output_path", name, "--log_samples", *options], check=True, stdout=sys.stderr)
    results = json.load(open(glob.glob(f"{name}/**/results_*.json", recursive=True)[0]))
    samples = glob.glob(f"{name}/**/samples_*.jsonl", recursive=True)[0]
    for key, mean in results["results"][name].items():
        metric, _, filter_ = key.partition(",")
        if not filter_ or metric.endswith("_stderr"): continue
        own = metric if len(more.split("name:")) < 2 or filter_ == "none" else key
        print("FIGURE", json.dumps({"file": samples, "metric": own, "n": results["n-samples"][name]["effective"], "mean": mean}), flush=True)
