"""llama.cpp's own HTTP server, as the package xllamacpp holds it: `llama_server.py MODEL NAME STREAMS`."""

import sys
import time

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {sys.argv[2]} if isinstance(params.model_alias, set) else sys.argv[2]
params.n_parallel = int(sys.argv[3])
params.n_ctx = 1024 * params.n_parallel
params.n_gpu_layers = 0
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.endpoint_metrics = True
params.cache_ram_mib = 0
server = xllamacpp.Server(params)
print(server.listening_address, xllamacpp.BUILD_INFO, flush=True)
while True:
    time.sleep(60)
