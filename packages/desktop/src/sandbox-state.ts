import { ForgeError } from '@cua-forge/spec/errors';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type { StateReader } from '@cua-forge/spec/state-reader';

const largest = 64 * 1024 * 1024;
/** Bytes of a file outside home and /tmp, which comes through a command's output. */
const largestElsewhere = 8 * 1024 * 1024;

/**
 * The state of a running sandbox, for checks. Links and special files are not there; programs run as the desktop's user, and may have a minute.
 * @throws ForgeError `sandbox.lost`, `sandbox.refused` for a file that is too large, `node.cancelled`
 */
export function sandboxState(sandbox: Sandbox, signal?: AbortSignal): StateReader {
  const given = signal === undefined ? {} : { signal };
  const inReach = (path: string): boolean => path.startsWith(`${sandbox.home}/`) || path.startsWith('/tmp/');
  const kindOf = async (path: string): Promise<string> =>
    (await sandbox.exec(['stat', '-c', '%F', '--', path], { timeoutMs: 20_000, ...given })).stdout.trim();

  async function elsewhere(path: string): Promise<Uint8Array> {
    const { exitCode, stdout, droppedBytes } = await sandbox.exec(['base64', '-w', '0', '--', path], {
      maxBytes: Math.ceil(largestElsewhere / 3) * 4,
      ...given,
    });
    if (exitCode !== 0 || droppedBytes > 0)
      throw new ForgeError('sandbox.refused', `${path} cannot be read, or is larger than ${largestElsewhere} bytes.`);
    return new Uint8Array(Buffer.from(stdout, 'base64'));
  }

  return {
    async readFile(path) {
      const kind = await kindOf(path);
      if (!/^regular (?:empty )?file$/.test(kind)) return null;
      if (!inReach(path)) return elsewhere(path);
      try {
        return await sandbox.getFile(path, { maxBytes: largest });
      } catch (thrown) {
        // A link on the way leads to a place that is not this one.
        if (thrown instanceof ForgeError && thrown.code === 'sandbox.refused' && /link/.test(thrown.message))
          return null;
        throw thrown;
      }
    },
    async listFiles(path) {
      if ((await kindOf(path)) !== 'directory') return null;
      const { stdout } = await sandbox.exec(['ls', '-A', '--', path], { timeoutMs: 20_000, ...given });
      return stdout
        .split('\n')
        .filter((name) => name !== '')
        .sort();
    },
    processes: async () => {
      const { stdout } = await sandbox.exec(['ps', '-eo', 'args=', '--no-headers'], { timeoutMs: 20_000, ...given });
      return stdout.split('\n').filter((line) => line !== '');
    },
    windows: async () => (await sandbox.windows()).map(({ title }) => title),
    screenshot: async () => (await sandbox.screenshot()).bytes,
    run: async (command) => {
      const { exitCode, stdout, stderr } = await sandbox.exec(command, given);
      return { code: exitCode, output: `${stdout}${stderr}` };
    },
  };
}
