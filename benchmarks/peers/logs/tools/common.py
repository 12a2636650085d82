"""What the scripts of the tools share: questions, answers of the server, and the figures that they print for main.ts."""
import json, math, os, time, urllib.request

def questions(): return [json.loads(line) for line in open("questions.jsonl")]

def ask(question):
    body = json.dumps({"model": "mock-a", "messages": [{"role": "user", "content": question}]}).encode()
    request = urllib.request.Request(os.environ["MOCK"] + "/v1/chat/completions", body, {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]

def answers():
    """Question, reference, answer, seconds; without those that the server refused."""
    for row in questions():
        began = time.time()
        try: yield row["question"], row["answer"], ask(row["question"]), time.time() - began
        except urllib.error.HTTPError: pass

def figures(file, scores, within=1e-9):
    """The tool's scores of a file, by metric; what is missing or NaN counts as unscored."""
    for metric, values in scores.items():
        known = [float(v) for v in values if v is not None and not math.isnan(float(v))]
        print("FIGURE", json.dumps({"file": file, "metric": metric, "n": len(known), "mean": sum(known) / len(known), "within": within}), flush=True)
