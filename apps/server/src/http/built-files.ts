import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';

const compress = promisify(gzip);
/** Files smaller than this are sent as they are: little would be won. */
const WORTH_BYTES = 1_000;
const YEAR_S = 31_536_000;

interface Built {
  bytes: Buffer;
  /** Made when somebody far away first asks for it. */
  compressed?: Promise<Buffer>;
}

/**
 * Serves a folder of built files whose names carry a hash of what is in them, so that each is read once and stays in memory; folders in it are not served. This
 * machine itself gets them as they are, others compressed where they can read that.
 */
export function builtFiles(
  folder: string,
  isNear: (request: Request<{ name: string }>) => boolean = fromThisMachine,
): RequestHandler<{ name: string }> {
  const kept = new Map<string, Built>();
  const read = async (name: string): Promise<Built | null> => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    try {
      const built: Built = { bytes: await readFile(join(folder, name)) };
      kept.set(name, built);
      return built;
    } catch {
      return null;
    }
  };
  return async (request, response, next) => {
    const { name } = request.params;
    const built = /^\w[\w.-]*$/.test(name) ? await read(name) : null;
    if (built === null) {
      next();
      return;
    }
    const small = !isNear(request) && built.bytes.length >= WORTH_BYTES && request.acceptsEncodings('gzip') === 'gzip';
    response.set({ 'Cache-Control': `public, max-age=${YEAR_S}, immutable`, Vary: 'Accept-Encoding' }).type(name);
    if (small) {
      built.compressed ??= compress(built.bytes);
      response.set('Content-Encoding', 'gzip').send(await built.compressed);
    } else {
      response.send(built.bytes);
    }
  };
}

const fromThisMachine = ({ socket }: Pick<Request, 'socket'>): boolean =>
  /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
