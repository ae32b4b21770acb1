import type { ExecuteContext } from '@cua-forge/spec/kind';
import type { ProofLine } from '@cua-forge/spec/proof';
import type { Sandbox, SandboxOptions } from '@cua-forge/spec/sandbox-port';
import type { StateReader } from '@cua-forge/spec/state-reader';
import type { Desk, Ground } from './ground.ts';
import { line } from './lines.ts';
import { runSetupScript } from './steps/another-day.ts';
import type { Subject } from './subject.ts';

/** Applications of the smaller image. */
const small = new Set(['libreoffice-calc', 'chromium', 'text-editor']);

/** What a package's desktop has to have. */
export const optionsFor = ({ applications }: Pick<Subject['manifest'], 'applications'>): Partial<SandboxOptions> => ({
  target: applications.every((one) => small.has(one)) ? 'minimal' : 'full',
});

function stateOf(sandbox: Sandbox): StateReader {
  return {
    readFile: (path) => sandbox.getFile(path).catch(() => null),
    listFiles: (path) =>
      sandbox.listFolder(path).then(
        (entries) => entries.map(({ name }) => name).sort(),
        () => null,
      ),
  };
}

function deskOf(subject: Subject, sandbox: Sandbox): Desk {
  return {
    sandbox,
    state: stateOf(sandbox),
    async prepare(signal) {
      await runSetupScript(subject, sandbox, signal);
      await sandbox.waitForStill({ timeoutMs: 15_000, tolerance: 400, signal }).catch(() => 0);
      const lines: ProofLine[] = [line('the setup runs', [], `${subject.operations.length} operations`)];
      return { lines, screenshot: (await sandbox.screenshot()).bytes };
    },
  };
}

/** Desktops that a worker lends. */
export const lentGround = ({ sandboxes }: Pick<ExecuteContext, 'sandboxes'>): Ground => ({
  use: (subject, { clock }, work) =>
    sandboxes.use({ ...optionsFor(subject.manifest), ...(clock === undefined ? {} : { clock }) }, (sandbox) =>
      work(deskOf(subject, sandbox)),
    ),
});
