"""locust: forty requests of one user; its table and its JSON, of which evalkit shows what they state."""
import csv, json, os, subprocess, sys

open("locustfile.py", "w").write('''
from locust import HttpUser, task, constant
class User(HttpUser):
    wait_time = constant(0.01)
    asked = 0
    @task
    def ask(self):
        User.asked += 1
        if User.asked > 40: return self.environment.runner.quit()
        self.client.post("/v1/chat/completions", json={"model": "mock-a", "messages": [{"role": "user", "content": f"{User.asked}) What is 1 + 1?"}]})
''')
with open("rows.json", "w") as rows:
    subprocess.run([os.path.join(os.path.dirname(sys.executable), "locust"), "-f", "locustfile.py", "--headless", "-u", "1", "-t", "20s", "--host", os.environ["MOCK"],
                    "--csv", "own", "--json", "--exit-code-on-error", "0", "--skip-log"], check=True, stdout=rows)
say = lambda file, metric, mean: print("FIGURE", json.dumps({"file": file, "metric": metric, "n": 1, "mean": mean}), flush=True)
rows = list(csv.DictReader(open("own_stats.csv")))
for column in ("Request Count", "Failure Count", "Average Response Time", "Requests/s", "99%"): say("own_stats.csv", column, float(rows[-1][column]))
for column, key in (("Request Count", "num_requests"), ("Failure Count", "num_failures"), ("Max Response Time", "max_response_time")):
    say("rows.json", f"POST /v1/chat/completions: {column}", json.load(open("rows.json"))[0][key])
