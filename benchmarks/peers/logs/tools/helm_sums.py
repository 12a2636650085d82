"""Thirty sums as a scenario of HELM; without those that the server refuses, at which it stops."""
import json, os
from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference, Scenario

class Sums(Scenario):
    name, description, tags = "sums", "thirty sums", []
    def get_instances(self, output_path):
        rows = [json.loads(line) for line in open(os.environ["QUESTIONS"])]
        return [Instance(Input(text=row["question"]), [Reference(Output(text=row["answer"]), tags=[CORRECT_TAG])], split=TEST_SPLIT, id=row["id"])
                for row in rows if not row["id"].endswith("9")]
