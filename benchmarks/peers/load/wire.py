"""
What went over the loopback interface to a port, by the kernel's stamps: `wire.py PORT` (root, or CAP_NET_RAW). Where its standard input ends it prints
for each streamed answer when its request was sent, when each part of its text was, in milliseconds, and the server's own timings, as JSON.
"""
import json, select, socket, struct, sys

port = int(sys.argv[1])
# Of the kernel's headers, for which Python has no names.
SO_RCVBUFFORCE, SO_TIMESTAMPNS, SOL_PACKET, PACKET_STATISTICS, PACKET_IGNORE_OUTGOING = 33, 35, 263, 6, 23
wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
wire.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 27)
wire.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
wire.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
wire.bind(("lo", 0x0800))
print("ready", flush=True)

packets = []
while sys.stdin not in (readable := select.select([wire, sys.stdin], [], [])[0]):
    data, [(_, _, stamp)], *_ = wire.recvmsg(1 << 17, 64)
    seconds, nanoseconds = struct.unpack("qq", stamp)
    head = (data[0] & 15) * 4
    source, target = struct.unpack("!HH", data[head : head + 4])
    text = data[head + (data[head + 12] >> 4) * 4 : int.from_bytes(data[2:4])] if data[9] == 6 else b""
    if text and port in (source, target):
        packets.append((seconds % 10**6 * 1000 + nanoseconds / 1e6, source, target, text))
lost = struct.unpack("II", wire.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[1]
if lost:
    sys.exit(f"{lost} packets were lost")

entries, answers = [], {}
for at, source, target, data in packets:
    if target == port and data.startswith(b"POST /v1/"):
        entry = {"arrivedMs": at, "beganMs": at, "sentMs": []}
        answers[source] = [entry, b""]
        entries.append(entry)
    elif answer := answers.get(target):
        *lines, answer[1] = (answer[1] + data).split(b"\n")
        for chunk in (json.loads(line[6:]) for line in lines if line.startswith(b"data: {")):
            for choice in chunk["choices"]:
                if choice.get("text") or choice.get("delta", {}).get("content"):
                    answer[0]["sentMs"].append(at)
            answer[0].update({"timings": chunk["timings"]} if "timings" in chunk else {})
json.dump([entry for entry in entries if len(entry["sentMs"]) > 1], sys.stdout)
