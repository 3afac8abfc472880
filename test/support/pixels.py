"""pixels.py FILE.png: the number of colors and the mean brightness (0 .. 255) of a picture."""
import struct, sys, zlib

data = open(sys.argv[1], "rb").read()
at, packed, header = 8, b"", None
while at < len(data):
	length, kind = struct.unpack(">I4s", data[at:at + 8])
	body = data[at + 8:at + 8 + length]
	header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
	packed += body if kind == b"IDAT" else b""
	at += 12 + length
width, height, depth, color = header[:4]
channels = {2: 3, 6: 4}[color]
assert depth == 8
raw, stride = zlib.decompress(packed), width * channels
above, colors, total = bytes(stride), set(), 0
for y in range(height):
	start = y * (stride + 1)
	kind, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
	for i in range(stride if kind else 0):
		left = line[i - channels] if i >= channels else 0
		up, corner = above[i], above[i - channels] if i >= channels else 0
		if kind == 1:
			guess = left
		elif kind == 2:
			guess = up
		elif kind == 3:
			guess = (left + up) // 2
		else:
			p = left + up - corner
			guess = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
		line[i] = (line[i] + guess) & 255
	for x in range(0, stride, channels):
		colors.add(bytes(line[x:x + 3]))
	total += sum(line[0::channels]) + sum(line[1::channels]) + sum(line[2::channels])
	above = bytes(line)
print(len(colors), round(total / (3 * width * height)))
