"""Serves a GGUF model with OpenAI's and Anthropic's protocol for tests. Arguments: model file. Prints its address; ends with its stdin."""

import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {"tiny"}
params.n_ctx = 2048
params.n_parallel = 1
# Threads wait for each other: on a busy machine one is faster than two.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.warmup = False
params.use_jinja = True
params.api_keys = ["test-key"]
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
