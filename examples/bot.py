"""A bot for `nardy referee`: reads a question a line, answers with a random legal play.

nardy referee "python examples/bot.py 1" "python examples/bot.py 2" --variant long
"""

import json
import random
import sys

rng = random.Random(sys.argv[1] if len(sys.argv) > 1 else None)
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] != "ask":  # a game begins, or is over: nothing is asked
        continue
    if "play" in question["acts"]:
        answer = {"play": rng.choice(question["plays"])}
    else:
        answer = {"act": "take" if "take" in question["acts"] else "roll"}
    print(json.dumps(answer), flush=True)
