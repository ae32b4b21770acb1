import type { Duplex } from 'node:stream';
import { ForgeError } from '@cua-forge/spec/errors';
import { AgentMessage } from '@cua-forge/spec/sandbox-messages';
import type { SandboxProvider } from '@cua-forge/spec/sandbox-port';
import type { Transport } from './transport.ts';

/** A provider whose sandboxes can be watched while they run. */
export interface ViewingProvider extends SandboxProvider {
  /**
   * Bytes of the RFB protocol (VNC) in both directions, until either side ends them. Without `control` nothing that the viewer sends reaches the desktop.
   * The connection is one of its own: it neither holds the sandbox nor slows its holder down.
   */
  view(id: string, options: { control: boolean }): Promise<Duplex>;
}

const answerWithinMs = 20_000;
const longestAnswer = 4096;

/** Turns a fresh connection to an agent into a view. */
export async function viewStream({ stream }: Transport, { control }: { control: boolean }): Promise<Duplex> {
  stream.write(`${JSON.stringify({ id: 1, op: 'view', args: { control } })}\n`);
  try {
    const answer = AgentMessage.safeParse(JSON.parse(await firstLine(stream)));
    if (!answer.success || !('ok' in answer.data))
      throw new ForgeError('sandbox.failed', 'The sandbox gave no answer to the wish to see it.');
    if (!answer.data.ok)
      throw new ForgeError('sandbox.refused', answer.data.error.message, {
        fix: 'Build the image again (`forge sandbox build`) and start a new sandbox.',
      });
    return stream;
  } catch (error) {
    stream.destroy();
    throw error instanceof SyntaxError ? new ForgeError('sandbox.failed', 'The sandbox’s answer is malformed.') : error;
  }
}

/** The first line; what follows it stays in the stream. */
function firstLine(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const done = (act: () => void): void => {
      clearTimeout(timer);
      stream.off('data', take);
      stream.off('close', closed);
      stream.pause();
      act();
    };
    const lost = (why: string) => (): void => reject(new ForgeError('sandbox.lost', why));
    const closed = (): void => done(lost('The sandbox hung up before it could be seen.'));
    const take = (data: Buffer): void => {
      seen = Buffer.concat([seen, data]);
      const end = seen.indexOf(10);
      if (end < 0 && seen.length <= longestAnswer) return;
      done(() => {
        if (end < 0) return lost('The sandbox sent no line.')();
        if (end + 1 < seen.length) stream.unshift(seen.subarray(end + 1));
        resolve(seen.subarray(0, end).toString('utf8'));
      });
    };
    const timer = setTimeout(
      () => done(lost(`The sandbox did not show itself within ${answerWithinMs / 1000} s.`)),
      answerWithinMs,
    );
    stream.on('error', () => undefined);
    stream.on('close', closed);
    stream.on('data', take);
  });
}
