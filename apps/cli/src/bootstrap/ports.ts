import getPort from 'get-port';

/** Ports tried first; a taken one is replaced by the next free one above it. */
export const defaultPorts = { temporal: 7233, temporalUi: 8233, studio: 7400 } as const;

const ascending = function* (from: number): Iterable<number> {
  for (let port = from; port < Math.min(from + 200, 65_536); port += 1) yield port;
};

/** `preferred`, or the next free TCP port of 127.0.0.1 above it. The port is not held: bind it soon. */
export async function freePort(preferred: number): Promise<number> {
  return getPort({ port: ascending(preferred), host: '127.0.0.1' });
}
