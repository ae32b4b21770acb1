"""Files to and from the sandbox. Links are refused on every step of a path; sizes are bounded; what is written appears whole or not at all."""

import base64
import hashlib
import os
import secrets
import stat
import tarfile
import tempfile

from protocol import Refusal, number, text

CHUNK = 256 * 1024
LARGEST = 2 * 1024**3
SKIPPED = {".cache", ".forge"}


class Files:
    def __init__(self, session):
        self.session = session
        self.roots = (session.home, "/tmp")
        self.uploads = {}

    def operations(self):
        return {
            "get": self.get,
            "list": self.list,
            "putBegin": self.put_begin,
            "putChunk": self.put_chunk,
            "putEnd": self.put_end,
            "archiveHome": self.archive,
            "restoreHome": self.restore,
        }

    def parts(self, path):
        if not path.startswith("/"):
            path = f"{self.session.home}/{path}"
        pieces = path.split("/")[1:]
        inside = any(path.startswith(f"{root}/") for root in self.roots)
        if not inside or "\0" in path or len(path) > 4096 or any(piece in ("", ".", "..") for piece in pieces):
            raise Refusal("refused", f"{path!r} is no path that files may have here.", f"Give a path below {' or '.join(self.roots)}, without '..'.")
        return pieces

    def folder_of(self, pieces, make=False):
        """A descriptor of the folder, opened step by step so that no link is followed."""
        at = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
        try:
            for piece in pieces:
                if make:
                    try:
                        os.mkdir(piece, 0o755, dir_fd=at)
                    except FileExistsError:
                        pass
                after = os.open(piece, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
                os.close(at)
                at = after
            return at
        except OSError as problem:
            os.close(at)
            raise Refusal("refused", f"/{'/'.join(pieces)} is no folder, or a link ({problem.strerror}).") from None

    def get(self, args, call):
        path, limit = text(args, "path", longest=4096), number(args, "maxBytes", 0, LARGEST, 64 * 1024 * 1024)
        *folder, name = self.parts(path)
        at = self.folder_of(folder)
        try:
            opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
        except OSError as problem:
            raise Refusal("refused", f"{path!r} cannot be read: {'it is a link' if problem.errno == 40 else problem.strerror}.") from None
        finally:
            os.close(at)
        with os.fdopen(opened, "rb", buffering=0) as file:
            facts = os.fstat(opened)
            if not stat.S_ISREG(facts.st_mode):
                raise Refusal("refused", f"{path!r} is no ordinary file.")
            if facts.st_size > limit:
                raise Refusal("refused", f"{path!r} has {facts.st_size} bytes; at most {int(limit)} may be read.")
            digest, size = hashlib.sha256(), 0
            while data := file.read(CHUNK):
                call.check()
                size += len(data)
                if size > limit:
                    raise Refusal("refused", f"{path!r} grew beyond {int(limit)} bytes while it was read.")
                digest.update(data)
                call.stream("data", base64.b64encode(data).decode())
        return {"size": size, "sha256": digest.hexdigest(), "mode": facts.st_mode & 0o777}

    def list(self, args, _call):
        path = text(args, "path", longest=4096)
        inside = path in self.roots
        at = self.folder_of(path.split("/")[1:] if inside else self.parts(path))
        try:
            entries = []
            for name in sorted(os.listdir(at))[:10_000]:
                facts = os.stat(name, dir_fd=at, follow_symlinks=False)
                kind = "file" if stat.S_ISREG(facts.st_mode) else "folder" if stat.S_ISDIR(facts.st_mode) else "link" if stat.S_ISLNK(facts.st_mode) else "other"
                entries.append({"name": name.encode("utf-8", "replace").decode(), "kind": kind, "size": facts.st_size})
            return {"entries": entries}
        finally:
            os.close(at)

    def put_begin(self, args, _call):
        size, mode = int(number(args, "size", 0, LARGEST)), int(number(args, "mode", 0, 0o777, 0o644))
        *folder, name = self.parts(text(args, "path", longest=4096))
        if len(self.uploads) >= 16:
            raise Refusal("refused", "16 files are being written already.")
        at = self.folder_of(folder, make=True)
        handle = secrets.token_hex(8)
        temporary = f".{handle}.part"
        opened = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=at)
        self.uploads[handle] = {"at": at, "name": name, "temporary": temporary, "file": opened, "left": size, "mode": mode, "digest": hashlib.sha256()}
        return {"handle": handle}

    def upload(self, args):
        found = self.uploads.get(args.get("handle"))
        if found is None:
            raise Refusal("refused", "There is no such file being written.")
        return found

    def give_up(self, handle):
        found = self.uploads.pop(handle)
        os.close(found["file"])
        try:
            os.unlink(found["temporary"], dir_fd=found["at"])
        except OSError:
            pass
        os.close(found["at"])

    def put_chunk(self, args, _call):
        found = self.upload(args)
        data = base64.b64decode(text(args, "data"), validate=True)
        found["left"] -= len(data)
        try:
            if found["left"] < 0:
                raise Refusal("refused", "More bytes came than were announced.")
            view = memoryview(data)
            while view:
                view = view[os.write(found["file"], view) :]
            found["digest"].update(data)
        except OSError as problem:
            self.give_up(args["handle"])
            raise Refusal("failed", f"The file could not be written: {problem.strerror}.", "The sandbox's disk is full: make files smaller, or reset it.") from None
        except Refusal:
            self.give_up(args["handle"])
            raise
        return {}

    def put_end(self, args, _call):
        found, handle = self.upload(args), args["handle"]
        try:
            if found["left"] != 0 or found["digest"].hexdigest() != args.get("sha256"):
                raise Refusal("failed", "The file did not arrive whole.")
            os.fchmod(found["file"], found["mode"])
            try:
                os.rename(found["temporary"], found["name"], src_dir_fd=found["at"], dst_dir_fd=found["at"])
            except OSError as problem:
                raise Refusal("refused", f"{found['name']!r} cannot be written: {problem.strerror}.") from None
        finally:
            self.give_up(handle)
        return {}

    def archive(self, _args, call):
        """Packs the home folder into a file of /tmp, for `get`. Sockets, pipes and caches stay behind."""
        handle, path = tempfile.mkstemp(prefix="home-", suffix=".tar.gz", dir="/tmp")

        def wanted(member):
            call.check()
            top = member.name.split("/")[0]
            return member if top not in SKIPPED and (member.isreg() or member.isdir() or member.issym()) else None

        with os.fdopen(handle, "wb") as file, tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as tar:
            for name in sorted(os.listdir(self.session.home)):
                try:
                    tar.add(os.path.join(self.session.home, name), arcname=name, filter=wanted)
                except FileNotFoundError:
                    continue
        return {"path": path, "size": os.path.getsize(path)}

    def restore(self, args, call):
        """Unpacks such an archive, after every member was looked at."""
        path = text(args, "path", longest=4096)
        self.parts(path)
        try:
            with tarfile.open(path, "r:gz") as tar:
                members, links, total = [], set(), 0
                for member in tar:
                    call.check()
                    pieces = member.name.split("/")
                    above = {"/".join(pieces[:count]) for count in range(1, len(pieces))}
                    kind = member.isreg() or member.isdir() or member.issym()
                    if member.name.startswith("/") or any(piece in ("", ".", "..") for piece in pieces) or not kind or above & links or member.name in links:
                        raise Refusal("refused", f"The archive holds {member.name!r}, which would not lie in the home folder.")
                    total += member.size
                    if total > LARGEST or len(members) > 200_000:
                        raise Refusal("refused", "The archive unpacks to more than a home folder may hold.")
                    if member.issym():
                        links.add(member.name)
                    members.append(member)
                for member in members:
                    target = os.path.join(self.session.home, member.name)
                    if member.isreg() and os.path.islink(target):
                        os.unlink(target)
                    if member.issym() and os.path.lexists(target):
                        os.unlink(target)
                    tar.extract(member, self.session.home, set_attrs=not member.issym(), numeric_owner=False)
        except (tarfile.TarError, EOFError, OSError) as problem:
            raise Refusal("failed", f"The archive could not be unpacked: {problem}.") from None
        finally:
            try:
                os.unlink(path)
            except OSError:
                pass
        return {"members": len(members)}
