"""Pixels of the display through memory that both share (MIT-SHM), instead of 8 MB through a socket."""

import ctypes

from Xlib.protocol import rq

IPC_PRIVATE, IPC_CREAT, IPC_RMID = 0, 0o1000, 0
Z_PIXMAP = 2


class Attach(rq.Request):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength(), rq.Card32("segment"), rq.Card32("shmid"), rq.Bool("read_only"), rq.Pad(3))


class GetImage(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(4),
        rq.RequestLength(),
        rq.Card32("drawable"),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Card32("planes"),
        rq.Card8("format"),
        rq.Pad(3),
        rq.Card32("segment"),
        rq.Card32("offset"),
    )
    _reply = rq.Struct(rq.ReplyCode(), rq.Card8("depth"), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Card32("visual"), rq.Card32("size"), rq.Pad(16))


class SharedPixels:
    """A segment as large as the screen. Raises OSError where the display or the system has none to give."""

    def __init__(self, display, root, size):
        extension = display.query_extension("MIT-SHM")
        if extension is None or not extension.present:
            raise OSError("the display shares no memory")
        self.display, self.root, self.opcode = display.display, root, extension.major_opcode
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
        identity = libc.shmget(IPC_PRIVATE, ctypes.c_size_t(size), IPC_CREAT | 0o600)
        if identity < 0:
            raise OSError(ctypes.get_errno(), "no shared memory")
        try:
            address = libc.shmat(identity, None, 0)
            if address is None or address == ctypes.c_void_p(-1).value:
                raise OSError(ctypes.get_errno(), "no shared memory")
            self.memory = memoryview((ctypes.c_char * size).from_address(address)).cast("B")
            self.segment = self.display.allocate_resource_id()
            problems = []
            Attach(display=self.display, onerror=lambda problem, _request: problems.append(problem) or 1, opcode=self.opcode, segment=self.segment, shmid=identity, read_only=False)
            display.sync()
            if problems:
                raise OSError("the display could not attach the memory")
        finally:
            # It stays for the two that have it, and goes with them.
            libc.shmctl(identity, IPC_RMID, None)

    def read(self, x, y, width, height):
        """Blue, green, red and a byte of nothing for each pixel."""
        reply = GetImage(display=self.display, opcode=self.opcode, drawable=self.root.id, x=x, y=y, width=width, height=height, planes=0xFFFFFFFF, format=Z_PIXMAP, segment=self.segment, offset=0)
        return bytes(self.memory[: reply._data["size"]])
